import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import type { createService, ServiceOptions } from "#runtime/service/service";
import type { Limits, ServiceRegistry } from "#runtime/http/settings";
import { compiledModule } from "../../support/compiled-module.js";
import { Client } from "./client.js";
import { documentsOf } from "./openapi-oracle.js";
import { databaseUrl, makeDatabase } from "./database.js";
import { serviceRuntime } from "../../support/runtime.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** How a test wants its service: other limits than the schema's, a clock, identifiers, hooks. */
export interface Wanted extends ServiceOptions {
  readonly limits?: Partial<Limits>;
  /** Changes what is served: hooks, routes of its own. */
  readonly registry?: (registry: ServiceRegistry) => ServiceRegistry;
  /** Its hooks refuse with errors of their own, of which its document does not know. */
  readonly ownErrors?: boolean;
}

/** A generated service that listens on loopback, with a real database. */
export interface TestService extends Client {
  readonly close: () => Promise<void>;
}

/** Starts the service generated from `fixtures/<fixture>` or an example; it stops, and its database goes, after the file's tests. */
export async function startService(
  fixture = "contract",
  wanted: Wanted = {},
): Promise<TestService> {
  const { limits, registry: adapt = (given) => given, ownErrors, ...options } = wanted;
  const folder = temporaryFolder();
  const generated = await loadService(fixture);
  const { settings, ...rest } = adapt(generated.registry);
  const registry = {
    ...rest,
    settings: { ...settings, limits: { ...settings.limits, ...limits } },
  };
  const url = options.databaseUrl ?? databaseUrl(folder);
  await makeDatabase(url);
  const service = await generated.createService(registry, { databaseUrl: url, ...options });
  await service.listen();
  // It listens on a port, never on a socket file.
  const { port } = service.app.server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    // A stop waits for clients that keep a connection.
    service.app.server.closeIdleConnections();
    await service.close();
  };
  afterAll(close);
  return Object.assign(new Client(port, documentsOf(fixture, ownErrors)), { close });
}

interface GeneratedService {
  readonly registry: ServiceRegistry;
  readonly createService: typeof createService;
}

/** A generated service as it was compiled, to be started otherwise than `startService` does. */
export async function loadService(fixture: string): Promise<GeneratedService> {
  const { registry } = await compiledModule<Pick<GeneratedService, "registry">>(
    fixture,
    "generated/app",
  );
  const runtime = await serviceRuntime<Pick<GeneratedService, "createService">>(
    fixture,
    "service/service",
  );
  return { registry, createService: runtime.createService };
}
