import { pathText, ts } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/resource-model.js";

/** What `partials/header.hbs` sees. */
export interface HeaderView {
  /** What the file is made from. */
  readonly source: TsCode;
  /** Where the user's own code goes. */
  readonly custom: TsCode;
}

/** The header of a file made from one resource. */
export function resourceHeader({ source, entity }: ResourceModel): HeaderView {
  return { source: pathText(source), custom: pathText(`src/custom/${entity.name.plural}.ts`) };
}

/** The header of a file made from the whole service. */
export function serviceHeader(): HeaderView {
  return { source: ts`service.yaml and resources/`, custom: ts`src/custom/` };
}
