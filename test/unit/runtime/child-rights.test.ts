import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import type { AccessRules } from "#runtime/auth/access";
import { NOBODY, type Caller } from "#runtime/auth/authentication";
import { Background } from "#runtime/base/background";
import { ANONYMOUS, type CommonFields } from "#runtime/base/common-fields";
import { Warnings } from "#runtime/http/log";
import { guardChildren } from "#runtime/entity/children";
import { JobContext } from "#runtime/http/request";
import { EntityStore } from "#runtime/store/entity-store";
import type { EntityTable } from "#runtime/store/entity-table";
import { memoryDatabase } from "./fixture/memory-database.js";

interface Ticket extends CommonFields {
  readonly ticketId: string;
  readonly title: string;
}
const TICKET: Ticket = {
  ticketId: "0192aaaa-0000-7000-8000-000000000000",
  title: "Broken lamp",
  createdDate: "",
  createdSubject: ANONYMOUS,
  lastModifiedDate: "",
  lastModifiedSubject: ANONYMOUS,
};
const ticketTable: EntityTable<Ticket, Pick<Ticket, "title">> = {
  ...{ name: "tickets", entityType: "Ticket", idProperty: "ticketId", written: ["title"] },
  columns: {},
  encode: ({ title }) => [title],
  decode: () => TICKET,
  identify: ({ ticketId }) => ticketId,
  assemble: (ticketId, properties, common) => ({ ticketId, ...properties, ...common }),
};

const database = await memoryDatabase();
afterAll(async () => database.close());
const { log: logger } = fastify();
const warnings = new Warnings(Date.now);
const store = new EntityStore(ticketTable, {
  ...{ database, logger, warnings },
  clock: Date.now,
  newIdentifier: () => "",
  settings: { limits: { pageBytes: 1000, bodyBytes: 1000 } },
});
const clerk: Caller = { subject: ANONYMOUS, roles: ["clerk"], isAnonymous: false };

test("code is asked what it gives of a parent only where that decides about its children", async () => {
  const asked: Caller[] = [];
  const scopes: AccessRules["scopes"] = {
    "parent:custom": ({ caller }) => {
      asked.push(caller);
      return null;
    },
  };
  const open: AccessRules = { read: ["anyone"], create: [], update: [], delete: ["anyone"] };
  const tied = ["role:clerk", "parent:custom"] as const;
  const guard = guardChildren({
    notes: { ...open, update: ["parent:custom"], scopes },
    labels: { ...open, read: tied, delete: tied, scopes },
  });
  const runtime = { database, clock: Date.now, logger, background: new Background(), warnings };
  for (const caller of [NOBODY, clerk]) {
    await guard(store, TICKET, new JobContext("job", caller, runtime));
  }
  expect(asked).toEqual([]);
  const named = { ...clerk, roles: [] };
  await guard(store, TICKET, new JobContext("job", named, runtime));
  expect(asked).toEqual([named]);
});
