import type { createService, Service, ServiceOptions } from "#runtime/service/service";
import type { ServiceRegistry } from "#runtime/http/settings";
import { loadRuntime } from "./runtime.js";

// A process that runs services, one after the other: it is told a folder, and answers where the service is.

/** What the host is told: the folder of a compiled service, and how to start it. */
export interface Order {
  readonly folder: string;
  readonly options: ServiceOptions;
}

/** What the host answers. */
export type Report = { readonly url: string } | { readonly error: string };

let running: Service | null = null;

/** A faulty service can fail where nobody waits for it; the process goes on to the next one. */
process.on("uncaughtException", () => undefined);

/** Nobody is left who could stop it. */
process.on("disconnect", () => process.exit());

process.on("message", (order: Order) => {
  start(order).then(
    (url) => process.send?.({ url }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

async function start({ folder, options }: Order): Promise<string> {
  // Its clients keep their connections, and nobody has to wait for them.
  running?.close().catch(() => undefined);
  running = null;
  // A path that is only known here has no types.
  const generated = (await import(`${folder}/dist/generated/registry.js`)) as {
    registry: ServiceRegistry;
  };
  const runtime = await loadRuntime<{ createService: typeof createService }>(
    `${folder}/dist`,
    "service/service",
  );
  running = await runtime.createService(generated.registry, options);
  return running.listen();
}
