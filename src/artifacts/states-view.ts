import { word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { InternalError } from "../diagnostics/internal-error.js";
import type { ResourceModel } from "../model/resource-model.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { arrayCode } from "./layout.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `resource/states.ts.hbs` sees. */
export interface StatesView extends HeaderView, ResourceNamesView {
  readonly initial: TsCode;
  readonly transitions: readonly { readonly from: TsCode; readonly to: TsCode }[];
  readonly updatableIn: TsCode;
  readonly deletableIn: TsCode;
  readonly property: TsCode;
}

/** The states of a resource that has some (STA). */
export function statesView(resource: ResourceModel): StatesView {
  const { states } = resource.entity;
  if (states === null) throw new InternalError(`${resource.source} has no states`);
  const list = (name: string, values: readonly string[], indent: number): TsCode =>
    arrayCode(values.map(literal), { indent, before: `${name}: `, after: "," });
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    initial: literal(states.initial),
    transitions: states.transitions.map(({ from, to }) => ({
      from: key(from),
      to: list(key(from), to, 4),
    })),
    updatableIn: list("updatableIn", states.updatableIn, 2),
    deletableIn: list("deletableIn", states.deletableIn, 2),
    property: word(states.property),
  };
}
