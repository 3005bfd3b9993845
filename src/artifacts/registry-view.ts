import { ts, word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { DOOR_VERSION } from "../naming/packages.js";
import { upperFirst } from "../naming/resource-name.js";
import type { ResourceModel } from "../model/resource-model.js";
import { formerExports, ownPairs, pairExport } from "../model/own-pairs.js";
import type { ServiceModel } from "../model/service-model.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, objectCode } from "./layout.js";

/** What `service/registry.ts.hbs` sees. */
export interface RegistryView extends HeaderView {
  /** The door of the runtime that the code is made for. */
  readonly madeFor: TsCode;
  /** The service has conversions of its own between versions (VER-2). */
  readonly hasPairs: boolean;
  readonly convert: TsCode;
  readonly routes: TsCode;
  /** The plurals of the entities that are announced (EVT-1). */
  readonly hasEvents: boolean;
  readonly eventSource: TsCode;
  readonly stores: TsCode;
}

/** The resources that a service serves. */
export function registryView(service: ServiceModel): RegistryView {
  const resources = service.versions.flatMap((version) => version.resources);
  const pairs = resources.flatMap((resource) =>
    ownPairs(resource).map((pair) => ({
      name: pairExport(resource, pair),
      formers: formerExports(resource, pair),
    })),
  );
  const announced = service.entities.filter((entity) => entity.announced.length > 0);
  return {
    ...serviceHeader(),
    hasEvents: announced.length > 0,
    eventSource: literal(service.eventSource),
    stores: arrayCode(
      announced.map(({ name }) => ts`entities.${key(name.plural)}.store`),
      { indent: 10, before: "stores: ", after: "," },
    ),
    madeFor: literal(DOOR_VERSION),
    hasPairs: pairs.length > 0,
    convert: objectCode(
      pairs.flatMap(({ name, formers }) => [
        word(name),
        ...formers.map((former) => ts`${word(former)}: ${word(name)}`),
      ]),
      { indent: 2, before: "convert: rowConverter(", after: ")," },
    ),
    routes: arrayCode(
      resources.map((resource) => ts`...${word(routesName(resource))}(entities)`),
      { indent: 6, before: "routes: ", after: "," },
    ),
  };
}

/** `v1TicketRoutes`: every version calls its own alike. */
export function routesName({ version, name }: ResourceModel): string {
  return `${version}${upperFirst(name.singular)}Routes`;
}
