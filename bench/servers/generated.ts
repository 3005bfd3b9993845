// Runs a compiled generated service: `generated.ts <folder> <database URL> [down | unknown]`. Its events are refused by their
// sink, or wait until their sinks are known.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Service, ServiceOptions } from "#runtime/service/service";
import type { ServiceRegistry } from "#runtime/http/settings";
import { answerParent } from "../support/answer-parent.js";
import { registryModule, serviceModule } from "../support/service-module.js";

/** What the two modules of a generated service export that start it. */
interface Generated {
  readonly registry: ServiceRegistry;
  readonly createService: (registry: ServiceRegistry, options: ServiceOptions) => Promise<Service>;
}

const [folder = "", databaseUrl = "", sink = ""] = process.argv.slice(2);
const refuse = (): never => {
  throw new Error("not now");
};
const events = sink === "down" ? { deliver: refuse } : { webhooks: refuse };
const extension = { provided: {}, routes: [], checks: {}, onStop: () => undefined, events };
const compiled = new URL("dist/", `${pathToFileURL(folder).href}/`);
// Both modules were generated from what `Generated` describes.
const { registry } = (await import(
  new URL(`${registryModule(folder)}.js`, compiled).href
)) as Generated;
const module = createRequire(new URL("main.js", compiled)).resolve(serviceModule(folder));
const { createService } = (await import(pathToFileURL(module).href)) as Generated;
const service = await createService(registry, { databaseUrl, ...(sink !== "" && { extension }) });
const url = await service.listen();
answerParent(Number(new URL(url).port), () => service.close());
