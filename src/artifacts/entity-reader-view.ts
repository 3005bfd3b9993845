import { ts } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { arrayCode } from "./layout.js";
import { writtenPaths } from "./reader-view.js";
import { namesView, type NamesView } from "./resource-names.js";
import { entityReading, type ReadingView } from "./validator-view.js";

/** What `entity/reader.ts.hbs` sees. */
export interface EntityReaderView extends HeaderView, NamesView, ReadingView {
  readonly constant: TsCode;
  readonly serviceWritten: TsCode;
  /** The name of the reference to the parent, or `null`. */
  readonly parent: TsCode;
}

/** How an entity is read, from a body of its newest version or from the service's own code (REP-9). */
export function entityReaderView(entity: EntityModel): EntityReaderView {
  const { name, parent, properties } = entity;
  return {
    ...entityHeader(entity),
    ...namesView(name),
    ...entityReading(entity),
    serviceWritten: arrayCode(writtenPaths(properties, []).map(literal), {
      indent: 2,
      before: "serviceWritten: ",
      after: ",",
    }),
    parent: parent === null ? ts`null` : literal(parent.property),
  };
}
