import { ts, word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import { upperFirst } from "../naming/resource-name.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, importCode } from "./layout.js";

/** What `service/registry.ts.hbs` sees. */
export interface RegistryView extends HeaderView {
  readonly imports: TsCode;
  readonly routes: TsCode;
}

/** The resources that a service serves. */
export function registryView({ versions }: ServiceModel): RegistryView {
  const resources = versions.flatMap((version) => version.resources);
  return {
    ...serviceHeader(),
    imports: importCode([
      { from: "./kernel/http/settings.js", names: ["type ServiceRegistry"] },
      { from: "./settings.js", names: ["settings"] },
      { from: "./stores.js", names: ["openStores"] },
      ...resources.map((resource) => ({
        from: `./${resource.version}/${resource.name.plural}/${resource.name.plural}.routes.js`,
        names: [`${resource.name.singular}Routes as ${routesName(resource)}`],
      })),
    ]),
    routes: arrayCode(
      resources.map((resource) => ts`...${word(routesName(resource))}(stores)`),
      { indent: 4, before: "return ", after: ";" },
    ),
  };
}

/** `v1TicketRoutes`: every version calls its own alike. */
function routesName({ version, name }: ResourceModel): string {
  return `${version}${upperFirst(name.singular)}Routes`;
}
