import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import type { AccessRules } from "#runtime/auth/access";
import { NOBODY, type Caller } from "#runtime/auth/caller";
import { Background } from "#runtime/base/background";
import { ANONYMOUS } from "#runtime/base/common-fields";
import { Warnings } from "#runtime/base/warnings";
import { guardChildren } from "#runtime/entity/child-rights";
import { JobContext } from "#runtime/http/request-context";
import { EntityStore } from "#runtime/store/entity-store";
import { memoryDatabase } from "./fixture/memory-database.js";
import { ticketTable, type Ticket } from "./fixture/tickets.js";

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
const TICKET: Ticket = {
  ticketId: "0192aaaa-0000-7000-8000-000000000000",
  title: "Broken lamp",
  email: null,
  status: "open",
  priority: null,
  price: "1.00",
  tags: [],
  createdDate: "",
  createdSubject: ANONYMOUS,
  lastModifiedDate: "",
  lastModifiedSubject: ANONYMOUS,
};

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
  const kernel = { database, clock: Date.now, logger, background: new Background(), warnings };
  for (const caller of [NOBODY, clerk]) {
    await guard(store, TICKET, new JobContext("job", caller, kernel));
  }
  expect(asked).toEqual([]);
  const named = { ...clerk, roles: [] };
  await guard(store, TICKET, new JobContext("job", named, kernel));
  expect(asked).toEqual([named]);
});
