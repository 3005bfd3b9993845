import { ts } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { referencesOf } from "../model/references.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { arrayCode, importCode } from "./layout.js";
import { besideModule } from "./modules.js";
import { objectsOf } from "./nested.js";
import { readerUses } from "./reader-view.js";
import { namesView, type NamesView } from "./resource-names.js";
import {
  entityProperties,
  entityReading,
  isConstant,
  readerImports,
  type ReadingView,
} from "./validator-view.js";
import { runtime } from "./runtime-modules.js";

/** What `entity/reader.ts.hbs` sees. */
export interface EntityReaderView extends HeaderView, NamesView, ReadingView {
  readonly constant: TsCode;
  readonly imports: TsCode;
  readonly serviceWritten: TsCode;
  /** The name of the reference to the parent, or `null`. */
  readonly parent: TsCode;
}

/** How an entity is read, from a body of its newest version or from the service's own code (REP-9). */
export function entityReaderView(entity: EntityModel): EntityReaderView {
  const { name, parent, properties } = entity;
  const own = properties.filter(({ readOnly }) => readOnly);
  return {
    ...entityHeader(entity),
    ...namesView(name),
    ...entityReading(entity),
    imports: imports(entity, entityProperties(entity)),
    serviceWritten: arrayCode(
      own.map((property) => literal(property.name)),
      { indent: 2, before: "serviceWritten: ", after: "," },
    ),
    parent: parent === null ? ts`null` : literal(parent.property),
  };
}

function imports(entity: EntityModel, properties: readonly PropertyModel[]): TsCode {
  const { typeName } = entity.name;
  const objects = objectsOf(properties);
  const reading = [properties, ...objects.map(({ type }) => type.properties)].flatMap((held) =>
    readerUses(held, "everybody"),
  );
  const types = [`${typeName}Properties`, ...objects.map(({ type }) => type.typeName)];
  const usesObject = reading.includes("object");
  return importCode([
    { from: runtime("entity/entity-parts"), names: ["type EntityReader"] },
    {
      from: runtime("input/body-input"),
      names: ["type BodyInput", "entityNames", ...(usesObject ? ["object"] : [])],
    },
    ...readerImports(reading),
    {
      from: besideModule(entity, "entity"),
      names: [...reading.filter(isConstant), ...types.map((type) => `type ${type}`)],
    },
    {
      from: besideModule(entity, "references"),
      names: isReferring(entity) ? [`type ${resolvedType(entity)}`] : [],
    },
  ]);
}

function resolvedType({ name }: EntityModel): string {
  return `Resolved${name.typeName}References`;
}

function isReferring(entity: EntityModel): boolean {
  return referencesOf(entity).length > 0;
}
