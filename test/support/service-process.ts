import type { createService, Extension, Service, ServiceOptions } from "#runtime/service/service";
import type { ServiceRegistry } from "#runtime/http/settings";
import { loadRuntime } from "./runtime.js";

// A process that runs services, one after the other: it is told a folder, and answers where the service is.

/** What the host is told: the folder of a compiled service, and how to start it. */
export interface Order {
  readonly folder: string;
  readonly options: ServiceOptions;
  /** Where its events go (EVT-1); left out: nowhere. */
  readonly webhook?: string;
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

/** What custom code would say of events. */
function announcing(url: string): Extension {
  const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
  const events = { webhooks: () => [{ name: "test", url, secrets, isPrivate: true }] };
  return { provided: {}, routes: [], checks: {}, onStop: () => undefined, events };
}

async function start({ folder, options, webhook }: Order): Promise<string> {
  // Its clients keep their connections, and nobody has to wait for them.
  running?.close().catch(() => undefined);
  running = null;
  // A path that is only known here has no types.
  const generated = (await import(`${folder}/dist/generated/app.js`)) as {
    registry: ServiceRegistry;
  };
  const runtime = await loadRuntime<{ createService: typeof createService }>(
    `${folder}/dist`,
    "service/service",
  );
  running = await runtime.createService(generated.registry, {
    ...options,
    ...(webhook !== undefined && { extension: announcing(webhook) }),
  });
  return running.listen();
}
