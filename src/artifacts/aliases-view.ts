import { ts } from "../naming/code.js";
import { doc, type DocComment } from "../naming/doc-comment.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { scalarCode } from "../kinds/expression.js";
import type { AliasModel, ConditionModel, ResourceModel } from "../model/service-model.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, objectCode } from "./layout.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `resource/aliases.ts.hbs` sees. */
export interface AliasesView extends HeaderView, ResourceNamesView {
  readonly aliases: readonly AliasView[];
}

interface AliasView {
  readonly documented: boolean;
  readonly doc: DocComment;
  readonly name: TsCode;
  readonly conditions: TsCode;
  readonly sort: TsCode;
}

/** The aliases of a resource that has some (ALI). */
export function aliasesView(resource: ResourceModel): AliasesView {
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    aliases: resource.aliases.map(aliasView),
  };
}

function aliasView({ name, description, conditions, sort }: AliasModel): AliasView {
  const comment = doc(description, 2);
  const keys = sort.map(({ path, descending }) =>
    objectCode([ts`path: ${literal(path)}`, ts`descending: ${descending}`]),
  );
  return {
    documented: comment !== "",
    doc: comment,
    name: key(name),
    conditions: arrayCode(conditions.map(conditionCode), {
      indent: 4,
      before: "conditions: ",
      after: ",",
      expanded: conditions.length > 1,
    }),
    sort: arrayCode(keys, { indent: 4, before: "sort: ", after: ",", expanded: keys.length > 1 }),
  };
}

function conditionCode(condition: ConditionModel): TsCode {
  return objectCode(conditionEntries(condition), { indent: 6, after: "," });
}

function conditionEntries(condition: ConditionModel): TsCode[] {
  const path = ts`path: ${literal(condition.path)}`;
  switch (condition.kind) {
    case "window": {
      const { window, milliseconds } = condition;
      return [path, ts`window: ${literal(window)}`, ts`milliseconds: ${milliseconds}`];
    }
    case "comparison": {
      const { comparison, values, orNull, contains } = condition;
      const list = arrayCode(values.map(scalarCode), { indent: 8, before: "values: ", after: "," });
      const name = ts`comparison: ${literal(comparison)}`;
      return [path, name, ts`values: ${list}`, ts`orNull: ${orNull}`, ts`contains: ${contains}`];
    }
  }
}
