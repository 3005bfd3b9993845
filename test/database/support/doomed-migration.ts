import { pathToFileURL } from "node:url";
import { applyMigrations } from "#runtime/store/migrations/migrations";
import { openDatabase } from "#runtime/store/open-database";

// A process that applies migrations and is killed before one of the calls to its database, the first of which is 1:
// node doomed-migration.mjs <url> <folder> <call> [early]. It ends with 0 where it makes fewer calls.

const [url = "", folder = "", last = "", early = ""] = process.argv.slice(2);
let calls = 0;

/** Counts the calls of methods, which do what they always did. */
function counted(methods: readonly string[], from: object, to = from): void {
  for (const method of methods) {
    // What it takes and returns is passed on.
    const original = Reflect.get(from, method) as (...values: unknown[]) => unknown;
    Reflect.set(to, method, function call(this: unknown, ...values: unknown[]): unknown {
      calls += 1;
      if (calls === Number(last)) process.kill(process.pid, "SIGKILL");
      return Reflect.apply(original, from === to ? this : from, values);
    });
  }
}

const database = await openDatabase({ url, connections: 2, requestSeconds: 30, name: "store" });
if (url.startsWith("postgres")) {
  const { Client } = (await import("pg")) as { Client: { prototype: object } };
  counted(["query"], Client.prototype);
} else {
  // The methods of the class cannot be replaced: another object stands before the connection.
  const connection = Reflect.get(database, "connection") as object;
  const counting = { close: () => undefined };
  counted(["exec", "prepare"], connection, counting);
  Reflect.set(database, "connection", counting);
}
await applyMigrations(database, pathToFileURL(folder), { isFinishing: early !== "early" });
process.exit(0);
