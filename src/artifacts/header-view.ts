import { pathText, ts } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import type { ResourceModel } from "../model/resource-model.js";

/** What `partials/header.hbs` sees. */
export interface HeaderView {
  /** What the file is made from. */
  readonly source: TsCode;
  /** Where the user's own code goes. */
  readonly custom: TsCode;
}

/** The header of a file of a resource. */
export function resourceHeader({ source, entity }: ResourceModel): HeaderView {
  return { source: pathText(source), custom: customCode(entity) };
}

/** The header of a file of an entity: a new version does not change it. */
export function entityHeader(entity: EntityModel): HeaderView {
  const file = entity.source.slice(entity.source.lastIndexOf("/") + 1);
  return { source: pathText(`resources/{version}/${file}`), custom: customCode(entity) };
}

/** The header of a file made from the whole service. */
export function serviceHeader(): HeaderView {
  return { source: ts`service.yaml and resources/`, custom: ts`src/custom/` };
}

function customCode({ name }: EntityModel): TsCode {
  return pathText(`src/custom/${name.plural}.ts`);
}
