import { ts, word } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { ResourceModel, ServiceModel } from "../model/service-model.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { callCode, importCode, type Import } from "./layout.js";
import { offers } from "./offers.js";

/** What `service/registry.ts.hbs` sees. */
export interface RegistryView extends HeaderView {
  readonly imports: TsCode;
  readonly resources: readonly RoutesView[];
}

/** The routes of one resource. */
interface RoutesView {
  readonly collection: TsCode;
  readonly controller: TsCode;
  readonly path: TsCode;
  readonly entityType: TsCode;
  readonly collectionRoute: boolean;
  readonly collectionHandlers: readonly HandlerView[];
  readonly entityRoute: boolean;
  readonly entityHandlers: readonly HandlerView[];
}

interface HandlerView {
  readonly method: TsCode;
  readonly handler: TsCode;
}

/** Which controller answers which method of which path. */
export function registryView({ versions }: ServiceModel): RegistryView {
  const resources = versions.flatMap((version) => version.resources);
  return {
    ...serviceHeader(),
    imports: importCode(imports(resources)),
    resources: resources.map(routesView),
  };
}

function routesView(resource: ResourceModel): RoutesView {
  const { name, path } = resource;
  const { creates, lists, reads, replaces, updates, deletes } = offers(resource);
  const collection = word(name.collection);
  const handlers = (given: readonly (readonly [TsCode, TsCode, boolean])[]): HandlerView[] =>
    given
      .filter(([, , offered]) => offered)
      .map(([method, verb]) => ({ method, handler: ts`(call) => ${collection}.${verb}(call)` }));
  const collectionHandlers = handlers([
    [ts`GET`, ts`list`, lists],
    [ts`POST`, ts`create`, creates],
  ]);
  const entityHandlers = handlers([
    [ts`GET`, ts`read`, reads],
    [ts`PUT`, ts`replace`, replaces],
    [ts`PATCH`, ts`update`, updates],
    [ts`DELETE`, ts`delete`, deletes],
  ]);
  return {
    collection,
    controller: controllerCode(resource),
    path: literal(path),
    entityType: literal(name.typeName),
    collectionRoute: collectionHandlers.length > 0,
    collectionHandlers,
    entityRoute: entityHandlers.length > 0,
    entityHandlers,
  };
}

/** `new TicketController(new EntityRepository(ticketTable, ticketHooks, kernel))` */
function controllerCode({ name }: ResourceModel): TsCode {
  const variable = word(name.variable);
  const repository = callCode(
    ts`new EntityRepository`,
    [ts`${variable}Table`, ts`${variable}Hooks`, ts`kernel`],
    { indent: 6, after: "," },
  );
  const around = { indent: 4, before: `const ${name.collection} = `, after: ";" };
  return callCode(ts`new ${word(name.typeName)}Controller`, [repository], around);
}

function imports(resources: readonly ResourceModel[]): Import[] {
  return [
    ...resources.map(({ name }) => ({
      from: `../custom/${name.plural}.js`,
      names: [`${name.collection} as ${name.variable}Hooks`],
    })),
    { from: "./kernel/http.js", names: ["collection", "entity"] },
    { from: "./kernel/repository.js", names: ["EntityRepository"] },
    { from: "./kernel/settings.js", names: ["type ServiceRegistry"] },
    { from: "./settings.js", names: ["settings"] },
    ...resources.map(({ name }) => ({
      from: `./store/${name.plural}.js`,
      names: [`${name.variable}Table`],
    })),
    ...resources.map(({ name, version }) => ({
      from: `./${version}/${name.plural}/${name.plural}.controller.js`,
      names: [`${name.typeName}Controller`],
    })),
  ];
}
