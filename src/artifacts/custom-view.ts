import { word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/resource-model.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `scaffold/custom.ts.hbs` sees. */
export interface CustomView extends ResourceNamesView {
  readonly version: TsCode;
}

/** The empty file of business code of a resource. */
export function customView(resource: ResourceModel): CustomView {
  return { ...resourceNames(resource), version: word(resource.version) };
}
