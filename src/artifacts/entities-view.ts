import { joined, ts, word } from "../naming/code.js";
import { genericDoc, printed } from "../naming/doc.js";
import { key, type TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import { referencesOf } from "../model/references.js";
import type { ServiceModel } from "../model/service-model.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { isLeadingInside } from "./references-view.js";
import { olderShapeName } from "./shaped.js";

/** What `service/entities.ts.hbs` sees. */
export interface EntitiesView extends HeaderView {
  readonly entities: readonly OpenedView[];
}

interface OpenedView {
  readonly plural: TsCode;
  readonly singular: TsCode;
  /** Where its references lead: `ticketReferences(stores)`, or `{}`. */
  readonly references: TsCode;
  /** `ticketStates`, or `null`. */
  readonly states: TsCode;
  /** Custom code converts something of it: `[customerInV1]` (VER-2). */
  readonly isConverted: boolean;
  readonly older: TsCode;
}

/** What the parts of an entity are put together from. */
export interface OpenedEntity extends Pick<EntityModel, "name"> {
  readonly hasStates: boolean;
  /** EVT-1 */
  readonly isAnnounced: boolean;
  /** Whether it has references, and whether one of them leads to another entity of this service. */
  readonly references: "none" | "outside" | "inside";
  /** How older versions show it, where custom code converts something of it (VER-2). */
  readonly older: readonly OlderShape[];
}

interface OlderShape {
  readonly name: TsCode;
  readonly version: string;
  readonly plural: string;
}

/** The entities of a service. */
export function openedEntities({ entities, versions }: ServiceModel): readonly OpenedEntity[] {
  const resources = versions.flatMap((version) => version.resources);
  return entities.map((entity) => ({
    name: entity.name,
    hasStates: entity.states !== null,
    isAnnounced: entity.announced.length > 0,
    references: leadOf(entity),
    older: resources
      .filter((resource) => resource.entity.name.plural === entity.name.plural)
      .flatMap((resource) => {
        const name = olderShapeName(resource);
        const { version, name: called } = resource;
        return name === null ? [] : [{ name, version, plural: called.plural }];
      }),
  }));
}

function leadOf(entity: EntityModel): OpenedEntity["references"] {
  if (referencesOf(entity).length === 0) return "none";
  return isLeadingInside(entity) ? "inside" : "outside";
}

/** What `service/app.ts.hbs` sees. */
export interface AppView extends HeaderView {
  readonly hasEvents: boolean;
  /** `AppDefinition<Declared, Provided, ServiceContext>` */
  readonly definition: TsCode;
}

/** What src/app.ts is checked with. */
export function appView(entities: readonly OpenedEntity[]): AppView {
  const hasEvents = entities.some(({ isAnnounced }) => isAnnounced);
  const types = [ts`Declared`, ts`Provided`, ts`ServiceContext`];
  const definition = genericDoc(
    ts`AppDefinition`,
    hasEvents ? [...types, ts`ServiceEvent`] : types,
  );
  return { ...serviceHeader(), hasEvents, definition: printed(definition) };
}

/** The parts of every entity, put together. */
export function entitiesView(entities: readonly OpenedEntity[]): EntitiesView {
  return {
    ...serviceHeader(),
    entities: entities.map(openedView),
  };
}

function openedView({ name, hasStates, references, older }: OpenedEntity): OpenedView {
  const singular = word(name.singular);
  const stores = references === "inside" ? ts`stores` : ts``;
  return {
    plural: key(name.plural),
    singular,
    references: references === "none" ? ts`{}` : ts`${singular}References(${stores})`,
    states: hasStates ? ts`${singular}States` : ts`null`,
    isConverted: older.length > 0,
    older: ts`[${joined(
      older.map((one) => one.name),
      ", ",
    )}]`,
  };
}
