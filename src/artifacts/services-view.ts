import { ts, word } from "../naming/code.js";
import { arrayDoc, callDoc, objectDoc, prefixed, type Doc } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { ResourceName } from "../naming/resource-name.js";
import { isRestricted } from "../kinds/access-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { callCode, importCode, type Import } from "./layout.js";
import { operationsOf } from "./operations.js";

/** What `service/services.ts.hbs` sees. */
export interface ServicesView extends HeaderView {
  readonly imports: TsCode;
  readonly services: readonly ServiceView[];
}

interface ServiceView {
  readonly plural: TsCode;
  readonly collection: TsCode;
  /** `OrderService` */
  readonly type: TsCode;
  /** `new EntityRepository(entities.orders, { access: orderAccess })` */
  readonly repository: TsCode;
  readonly opened: TsCode;
}

/** An entity, and who may do what with it where the newest version shows it (AUT-2). */
export interface ServedEntity {
  readonly name: ResourceName;
  /** Its access is a file of this version; null: everybody may do everything. */
  readonly version: string | null;
  /** What no client can do: own code is not asked for access to it. */
  readonly unoffered: readonly ("create" | "update" | "delete")[];
  readonly guardedChildren: readonly ResourceName[];
}

/** The entities of a service, as its own code can use them. */
export function servedEntities({ entities, versions }: ServiceModel): readonly ServedEntity[] {
  const shown = versions.flatMap(({ resources }) => resources);
  return entities.map(({ name }) => {
    const resource = shown.findLast(
      ({ entity, isRepresentation }) => entity.name.plural === name.plural && !isRepresentation,
    );
    const isAsked = resource !== undefined && isRestricted(resource);
    return {
      name,
      version: isAsked ? resource.version : null,
      unoffered: isAsked ? unofferedBy(resource) : [],
      guardedChildren: isAsked ? resource.guardedChildren : [],
    };
  });
}

function unofferedBy(resource: ResourceModel): ServedEntity["unoffered"] {
  const { creates, replaces, updates, deletes } = operationsOf(resource);
  return [
    ...(creates ? [] : (["create"] as const)),
    ...(replaces || updates ? [] : (["update"] as const)),
    ...(deletes ? [] : (["delete"] as const)),
  ];
}

/** What own code can do with each entity. */
export function servicesView(entities: readonly ServedEntity[]): ServicesView {
  return {
    ...serviceHeader(),
    imports: importCode([
      { from: "./entities.js", names: ["type ServiceEntities"] },
      { from: "./kernel/auth/caller.js", names: ["type Caller"] },
      { from: "./kernel/entity/entity-service.js", names: ["EntityService"] },
      { from: "./kernel/entity/repository.js", names: ["EntityRepository"] },
      { from: "./kernel/http/request-context.js", names: ["type RequestContext"] },
      ...entities.flatMap(entityImports),
    ]),
    services: entities.map(serviceView),
  };
}

function serviceView(entity: ServedEntity): ServiceView {
  const { plural, collection, typeName } = entity.name;
  const parts = ts`entities.${key(plural)}`;
  const rules = rulesOf(entity);
  return {
    plural: key(plural),
    collection: word(collection),
    type: ts`${word(typeName)}Service`,
    repository: callCode(
      ts`new EntityRepository`,
      rules.length === 0 ? [parts] : [parts, objectDoc(rules)],
      { indent: 2, before: `const ${collection} = `, after: ";" },
    ),
    opened: callCode(ts`new EntityService`, [parts, word(collection), ts`request`], {
      indent: 4,
      before: `${plural}: `,
      after: ",",
    }),
  };
}

/** AUT-2 */
function rulesOf({ name, version, unoffered, guardedChildren }: ServedEntity): Doc[] {
  if (version === null) return [];
  const access = ts`${word(name.singular)}Access`;
  const open = unoffered.map((operation) =>
    prefixed(ts`${word(operation)}: `, arrayDoc([literal("anyone")])),
  );
  const children = guardedChildren.map(
    ({ plural, singular }) => ts`${key(plural)}: ${word(singular)}Access`,
  );
  return [
    open.length === 0
      ? ts`access: ${access}`
      : prefixed(ts`access: `, objectDoc([ts`...${access}`, ...open])),
    ...(children.length === 0
      ? []
      : [prefixed(ts`children: `, callDoc(ts`guardChildren`, [objectDoc(children)]))]),
  ];
}

function entityImports({ name, version, guardedChildren }: ServedEntity): Import[] {
  const { plural, typeName } = name;
  const file = `./entities/${plural}/${plural}`;
  const accesses = version === null ? [] : [name, ...guardedChildren];
  return [
    { from: `${file}.input.js`, names: [`type ${typeName}Service`] },
    {
      from: "./kernel/entity/child-rights.js",
      names: guardedChildren.length > 0 ? ["guardChildren"] : [],
    },
    ...accesses.map(({ plural: other, singular }) => ({
      from: `./${version}/${other}/${other}.access.js`,
      names: [`${singular}Access`],
    })),
  ];
}
