import type { EntityModel } from "../model/entity-model.js";
import { referencesOf } from "../model/references.js";
import type { Artifact } from "./artifact.js";
import { customView } from "./custom-view.js";
import { entityActionsView } from "./entity-actions-view.js";
import { entityEventsView } from "./events-view.js";
import { entityView } from "./entity-view.js";
import { entityInputView } from "./input-view.js";
import { actionsType, entityPath, entityType, ofEntity, propertiesType } from "./modules.js";
import { referencesView } from "./references-view.js";
import { scopeView } from "./scope-view.js";
import { storeView } from "./store-view.js";
import { word, ts } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { InternalError } from "../diagnostics/internal-error.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { arrayCode } from "./layout.js";
import { namesView, type NamesView } from "./resource-names.js";
import { genericDoc, printed } from "../naming/doc.js";
import { writtenPaths } from "./reader-view.js";
import { entityReading, type ReadingView } from "./validator-view.js";
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
    template: "entity/states.ts",
    owner: "generator",
    when: ({ states }) => states !== null,
    path: (entity) => entityPath(entity, "states"),
    view: statesView,
  },
  {
    template: "entity/references.ts",
    owner: "generator",
    when: (entity) => referencesOf(entity).length > 0,
    path: (entity) => entityPath(entity, "references"),
    view: referencesView,
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
    template: "entity/scope.ts",
    owner: "generator",
    when: ({ isScoped }) => isScoped,
    path: (entity) => entityPath(entity, "scope"),
    view: scopeView,
    origins: entityOrigins,
  },
  {
    template: "entity/input.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "input"),
    view: entityInputView,
    origins: entityOrigins,
  },
  {
    template: "entity/reader.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "reader"),
    view: entityReaderView,
    origins: entityOrigins,
  },
  {
    template: "entity/store.ts",
    owner: "generator",
    path: (entity) => entityPath(entity, "store"),
    view: storeView,
    origins: entityOrigins,
  },
  {
    template: "entity/events.ts",
    owner: "generator",
    when: ({ announced }) => announced.length > 0,
    path: (entity) => entityPath(entity, "events"),
    view: entityEventsView,
    origins: entityOrigins,
  },
  {
    template: "scaffold/custom.ts",
    owner: "user",
    path: ({ name }) => `src/custom/${name.plural}.ts`,
    view: customView,
  },
];

/** What `entity/states.ts.hbs` sees. */
interface StatesView extends HeaderView, NamesView {
  readonly initial: TsCode;
  readonly transitions: readonly { readonly from: TsCode; readonly to: TsCode }[];
  readonly updatableIn: TsCode;
  readonly deletableIn: TsCode;
  readonly property: TsCode;
  readonly propertyLiteral: TsCode;
  readonly propertiesType: TsCode;
}

/** The states of an entity that has some (STA). */
function statesView(entity: EntityModel): StatesView {
  const { name, states, source } = entity;
  if (states === null) throw new InternalError(`${source} has no states`);
  const list = (label: string, values: readonly string[], indent: number): TsCode =>
    arrayCode(values.map(literal), { indent, before: `${label}: `, after: "," });
  return {
    ...entityHeader(entity),
    ...namesView(name),
    initial: list("initial", states.initials, 2),
    transitions: states.transitions.map(({ from, to }) => ({
      from: key(from),
      to: list(key(from), to, 4),
    })),
    updatableIn: list("updatableIn", states.updatableIn, 2),
    deletableIn: list("deletableIn", states.deletableIn, 2),
    property: word(states.property),
    propertyLiteral: literal(states.property),
    propertiesType: propertiesType(name),
  };
}

/** What `entity/hooks.ts.hbs` sees. */
interface HooksView extends HeaderView, NamesView {
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
    ...namesView(entity.name),
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

/** What `entity/reader.ts.hbs` sees. */
interface EntityReaderView extends HeaderView, NamesView, ReadingView {
  readonly constant: TsCode;
  readonly serviceWritten: TsCode;
  readonly propertiesType: TsCode;
  /** The name of the reference to the parent, or `null`. */
  readonly parent: TsCode;
}

/** How an entity is read, from a body of its newest version or from the service's own code (REP-9). */
function entityReaderView(entity: EntityModel): EntityReaderView {
  const { name, parent, properties } = entity;
  return {
    ...entityHeader(entity),
    ...namesView(name),
    ...entityReading(entity),
    propertiesType: propertiesType(name),
    serviceWritten: arrayCode(writtenPaths(properties, []).map(literal), {
      indent: 2,
      before: "serviceWritten: ",
      after: ",",
    }),
    parent: parent === null ? ts`null` : literal(parent.property),
  };
}
