import { literal, type TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/resource-model.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { arrayCode } from "./layout.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `resource/access.ts.hbs` sees. */
export interface AccessView extends HeaderView, ResourceNamesView {
  readonly read: TsCode;
  readonly create: TsCode;
  readonly update: TsCode;
  readonly delete: TsCode;
}

/** Who may do what with a resource (AUT-2). */
export function accessView(resource: ResourceModel): AccessView {
  const { access } = resource;
  const list = (operation: keyof typeof access): TsCode =>
    arrayCode(access[operation].map(literal), {
      indent: 2,
      before: `${operation}: `,
      after: ",",
    });
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    read: list("read"),
    create: list("create"),
    update: list("update"),
    delete: list("delete"),
  };
}
