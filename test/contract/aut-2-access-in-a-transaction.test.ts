import { expect, test } from "vitest";
import type { Caller } from "#runtime/auth/authentication";
import type { EntityService } from "#runtime/entity/entity-service";
import type { Context } from "#runtime/entity/hooks";
import { customCode, type Values } from "./support/custom-code.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

type Service = EntityService<never, Values, Values, Values>;
interface Services extends Readonly<Record<"dossiers" | "vaults" | "labels", Service>> {
  readonly parcels: Service & {
    readonly actions: { lock(input: Values): Promise<unknown> };
  };
  readonly unrestricted: Services;
  as(caller: Caller): Services;
}

const keys = await newKeys("only");
const service = await startSecured((await startKeyServer([keys.jwk])).url);
const maker = await tokenOf(keys, "maker");
const drafts = await customCode("drafts", "secured");

const callerOf = (last: string, roles: readonly string[] = []): Caller => {
  const subjectId = `0190a0a0-0000-7000-8000-00000000000${last}`;
  return { subject: { subjectId, userPrincipalName: last }, roles, isAnonymous: false };
};

/** What own code comes to in the transaction of a request: done, or the status or name of what was thrown. */
async function inTransaction(
  work: (services: Services, attempt: (what: Promise<unknown>) => Promise<void>) => Promise<void>,
): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const attempt = async (what: Promise<unknown>): Promise<void> =>
    what.then(
      () => void seen.push("done"),
      (error: unknown) => {
        const { status, name } = error as { status?: number; name: string };
        seen.push(status ?? name);
      },
    );
  drafts.beforeCreate = async (_, context) =>
    work((context as Context<unknown, Services>).services, attempt);
  const { status, text } = await sendAs(service, maker, ["POST", "/api/v1/drafts"], { text: "a" });
  expect(status, text).toBe(201);
  return seen;
}

test("who has created something in a transaction goes on with it there, and nobody else sees it", async () => {
  const seen = await inTransaction(async (services, attempt) => {
    const { dossierId = "" } = (await services.dossiers.create({ name: "new" })) as Values;
    const id = String(dossierId);
    await attempt(services.dossiers.read(id));
    await attempt(services.dossiers.change(id, { name: "newer" }));
    const others = services.as(callerOf("1"));
    await attempt(others.dossiers.read(id));
    await attempt(others.dossiers.change(id, { name: "taken" }));
    await attempt(services.as(callerOf("2", ["keeper"])).dossiers.read(id));
  });
  expect(seen).toEqual(["done", "done", 404, 404, "done"]);
});

test("what is changed in a transaction is there for those who may read what is stored", async () => {
  const path = "/api/v1/dossiers";
  const { json } = await sendAs(service, maker, ["POST", path], { department: "sales" });
  const dossierId = String(json["dossierId"]);
  const seen = await inTransaction(async (services, attempt) => {
    await attempt(services.dossiers.change(dossierId, { name: "newer" }));
    for (const other of [callerOf("1", ["sales"]), callerOf("2")]) {
      await attempt(services.as(other).dossiers.read(dossierId));
    }
  });
  expect(seen).toEqual(["done", "done", 404]);
});

test("what a transaction has only changed or locked is referred to by those who may read what is stored", async () => {
  const { json } = await sendAs(service, maker, ["POST", "/api/v1/vaults"], { name: "hidden" });
  const vaultId = String(json["vaultId"]);
  const refer = async (services: Services): Promise<unknown> =>
    services.labels.create({ vault: { vaultId }, others: [{ vaultId }] });
  const touches = [
    async ({ vaults }: Services): Promise<unknown> => vaults.lock(vaultId),
    async ({ vaults }: Services): Promise<unknown> => vaults.change(vaultId, { name: "changed" }),
  ];
  for (const touch of touches) {
    const seen = await inTransaction(async (services, attempt) => {
      await touch(services.unrestricted);
      await attempt(refer(services));
      await attempt(refer(services.as(callerOf("1"))));
      await attempt(refer(services.as(callerOf("2", ["keeper"]))));
    });
    expect(seen).toEqual(["done", "OwnCodeFault", "done"]);
  }
});

test("what somebody has created in a transaction is referred to by them, and by those who may read everything", async () => {
  const seen = await inTransaction(async (services, attempt) => {
    const { vaultId = "" } = (await services.unrestricted.vaults.create({ name: "new" })) as Values;
    const callers = [services, services.as(callerOf("1")), services.as(callerOf("2", ["keeper"]))];
    for (const { labels } of callers) {
      await attempt(labels.create({ vault: { vaultId }, others: [{ vaultId }] }));
    }
  });
  expect(seen).toEqual(["done", "OwnCodeFault", "done"]);
});

test("what a transaction has deleted is there for nobody, whoever could read it", async () => {
  const newVault = async (): Promise<Values> => {
    const { json } = await sendAs(service, maker, ["POST", "/api/v1/vaults"], { name: "hidden" });
    return { vaultId: json["vaultId"] ?? null };
  };
  const [kept, gone] = [await newVault(), await newVault()];
  const seen = await inTransaction(async (services, attempt) => {
    const keeper = services.as(callerOf("2", ["keeper"]));
    await services.vaults.remove(String(gone["vaultId"]));
    for (const { parcels } of [services, keeper]) {
      await attempt(parcels.actions.lock({ vault: kept, others: [kept] }));
      await attempt(parcels.actions.lock({ vault: kept, others: [gone] }));
    }
  });
  expect(seen).toEqual(["done", "OwnCodeFault", "done", "OwnCodeFault"]);
});

test("who locks what another caller is locking needs the access to it all the same", async () => {
  const { json } = await sendAs(service, maker, ["POST", "/api/v1/vaults"], { name: "hidden" });
  const vaultId = String(json["vaultId"]);
  const seen = await inTransaction(async (services, attempt) => {
    const locks = [services.unrestricted, services.as(callerOf("1")), services];
    const begun = locks.map(async ({ vaults }) => vaults.lock(vaultId));
    // One of them is refused while another is still waited for.
    for (const lock of begun) lock.catch(() => undefined);
    for (const lock of begun) await attempt(lock);
  });
  expect(seen).toEqual(["done", 404, "done"]);
});
