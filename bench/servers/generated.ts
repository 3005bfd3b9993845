// Runs a compiled generated service: `generated.ts <folder> <database URL>`.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Service, ServiceOptions } from "#runtime/service/service";
import type { ServiceRegistry } from "#runtime/http/settings";
import { answerParent } from "../support/answer-parent.js";
import { serviceModule } from "../support/service-module.js";

/** What the two modules of a generated service export that start it. */
interface Generated {
  readonly registry: ServiceRegistry;
  readonly createService: (registry: ServiceRegistry, options: ServiceOptions) => Promise<Service>;
}

const [folder = "", databaseUrl = ""] = process.argv.slice(2);
const compiled = new URL("dist/", `${pathToFileURL(folder).href}/`);
// Both modules were generated from what `Generated` describes.
const { registry } = (await import(new URL("generated/registry.js", compiled).href)) as Generated;
const module = createRequire(new URL("main.js", compiled)).resolve(serviceModule(folder));
const { createService } = (await import(pathToFileURL(module).href)) as Generated;
const service = await createService(registry, { databaseUrl });
const url = await service.listen();
answerParent(Number(new URL(url).port), () => service.close());
