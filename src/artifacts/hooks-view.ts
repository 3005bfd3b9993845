import type { ResourceModel } from "../model/service-model.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `resource/hooks.ts.hbs` sees. */
export interface HooksView extends HeaderView, ResourceNamesView {}

/** The extension points of a resource. */
export function hooksView(resource: ResourceModel): HooksView {
  return { ...resourceHeader(resource), ...resourceNames(resource) };
}
