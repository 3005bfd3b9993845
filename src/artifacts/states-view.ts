import { word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { InternalError } from "../diagnostics/internal-error.js";
import type { EntityModel } from "../model/entity-model.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { arrayCode } from "./layout.js";
import { namesView, type NamesView } from "./resource-names.js";

/** What `entity/states.ts.hbs` sees. */
export interface StatesView extends HeaderView, NamesView {
  readonly initial: TsCode;
  readonly transitions: readonly { readonly from: TsCode; readonly to: TsCode }[];
  readonly updatableIn: TsCode;
  readonly deletableIn: TsCode;
  readonly property: TsCode;
  readonly propertyLiteral: TsCode;
}

/** The states of an entity that has some (STA). */
export function statesView(entity: EntityModel): StatesView {
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
  };
}
