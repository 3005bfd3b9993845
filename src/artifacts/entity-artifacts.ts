import type { EntityModel } from "../model/entity-model.js";
import { referencesOf } from "../model/references.js";
import type { Artifact } from "./artifact.js";
import { customView } from "./custom-view.js";
import { entityActionsView } from "./entity-actions-view.js";
import { entityEventsCode } from "./events-code.js";
import { entityView } from "./entity-view.js";
import { inputView, type InputView } from "./input-view.js";
import {
  actionsType,
  customPath,
  entityPath,
  entityType,
  ofEntity,
  propertiesType,
} from "./modules.js";
import { referencesCode } from "./references-code.js";
import { scopeCode } from "./scope-code.js";
import { storeCode } from "./store-code.js";
import { word, ts } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { InternalError } from "../diagnostics/internal-error.js";
import { entityHeader, fileCode, type HeaderView } from "./header-view.js";
import { objectCode } from "./layout.js";
import { namesView, type NamesView } from "./resource-names.js";
import { arrayDoc, genericDoc, objectDoc, prefixed, printed, type Doc } from "../naming/doc.js";
import { entityReading } from "./validator-view.js";
import { entityOrigins } from "./origins.js";

/** What is emitted for each entity, whatever versions and resources show of it. */
export const ENTITY_ARTIFACTS: readonly Artifact<EntityModel>[] = [
  {
    template: "entity/entity.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "entity"),
    view: entityView,
    origins: entityOrigins,
  },
  {
    template: "entity/hooks.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "hooks"),
    view: hooksView,
    origins: entityOrigins,
  },
  {
    name: "entity/states.ts",
    owner: "generator",
    when: ({ states }) => states !== null,
    path: (entity) => entityPath(entity, "states"),
    print: statesCode,
  },
  {
    name: "entity/references.ts",
    owner: "generator",
    when: (entity) => referencesOf(entity).length > 0,
    path: (entity) => entityPath(entity, "references"),
    print: referencesCode,
    origins: entityOrigins,
  },
  {
    template: "entity/actions.ts",
    owner: "generator",
    when: ({ actions }) => actions.length > 0,
    path: (entity) => entityPath(entity, "actions"),
    view: entityActionsView,
    origins: entityOrigins,
  },
  {
    name: "entity/scope.ts",
    owner: "generator",
    when: ({ isScoped }) => isScoped,
    path: (entity) => entityPath(entity, "scope"),
    print: scopeCode,
    origins: entityOrigins,
  },
  {
    name: "entity/reader.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "reader"),
    print: (entity) => fileCode(entityHeader(entity), [entityReading(entity)]),
    origins: entityOrigins,
  },
  {
    name: "entity/store.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "store"),
    print: storeCode,
    origins: entityOrigins,
  },
  {
    name: "entity/events.ts",
    owner: "generator",
    when: ({ announced }) => announced.length > 0,
    path: (entity) => entityPath(entity, "events"),
    print: entityEventsCode,
    origins: entityOrigins,
  },
  {
    template: "scaffold/custom.ts",
    owner: "user",
    path: ({ name }) => customPath(name),
    view: customView,
  },
];

/** The file of the states of an entity that has some (STA). */
function statesCode(entity: EntityModel): TsCode {
  const { name, states, source } = entity;
  if (states === null) throw new InternalError(`${source} has no states`);
  const { article, singular, words } = namesView(name);
  const property = word(states.property);
  const list = (label: TsCode, values: readonly string[]): Doc =>
    prefixed(ts`${label}: `, arrayDoc(values.map(literal)));
  const transitions = states.transitions.map(({ from, to }) => list(key(from), to));
  const entries = [
    ts`entityType: ${literal(name.typeName)}`,
    list(ts`initial`, states.initials),
    prefixed(ts`transitions: `, objectDoc(transitions, true)),
    list(ts`updatableIn`, states.updatableIn),
    list(ts`deletableIn`, states.deletableIn),
    ts`property: ${literal(states.property)}`,
    ts`stateOf: ({ ${property} }) => ${property}`,
    ts`keepState: (next, { ${property} }) => ({ ...next, ${property} })`,
  ];
  return fileCode(entityHeader(entity), [
    ts`/** The states of ${article} ${words} and the transitions between them (STA). */
export const ${singular}States = new @StateMachine<${propertiesType(name)}>(${objectCode(entries, { expanded: true })});`,
  ]);
}

/** What `entity/hooks.ts.hbs` sees. */
interface HooksView extends HeaderView, NamesView, InputView {
  /** The hooks that are the same for every entity. */
  readonly hooks: TsCode;
  /** There is nothing beside them. */
  readonly isPlain: boolean;
  readonly isExtended: boolean;
  readonly isScoped: boolean;
  readonly isActing: boolean;
  readonly paths: TsCode;
  readonly actions: TsCode;
}

/** The extension points of an entity. */
function hooksView(entity: EntityModel): HooksView {
  const { name, isScoped } = entity;
  const { typeName } = name;
  const isActing = entity.actions.length > 0;
  const isExtended = isScoped || isActing;
  const hooks = genericDoc(ts`@EntityHooks`, [
    entityType(name),
    propertiesType(name),
    ts`@ServiceContext`,
  ]);
  return {
    ...entityHeader(entity),
    ...namesView(name),
    ...inputView(entity),
    hooks: isExtended
      ? printed(hooks, { before: `export interface ${typeName}Hooks extends `, after: " {" })
      : printed(hooks, { before: `export type ${typeName}Hooks = `, after: ";" }),
    isPlain: !isExtended,
    isExtended,
    isScoped,
    isActing,
    paths: ofEntity(entity, "scope", `type ${typeName}Paths`),
    actions: actionsType(name),
  };
}
