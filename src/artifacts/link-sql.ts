import { templateText, ts, word } from "../naming/code.js";
import { objectDoc, type Doc } from "../naming/doc.js";
import { literal, sqlName, type TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { referencesOf } from "../model/references.js";
import { linkName } from "../storage/references.js";
import { clausesText } from "./layout.js";
import { showingReferences } from "./reference-sql.js";

/** A link table: `idsOf: (ticket) => ticket.watchers.map(({ userId }) => userId)` */
export function linkDocs(entity: EntityModel): Doc[] {
  const holder = word(entity.name.variable);
  const linked = referencesOf(entity).filter(({ type, isLinked }) => isLinked && type.target);
  return linked.map(({ property: { path } }) => {
    const ids = identifiersCode(entity.properties, path.split("."), holder);
    const table = literal(linkName(entity.name.table, path));
    return objectDoc([ts`table: ${table}`, ts`idsOf: (${holder}) => ${ids}`], true);
  });
}

/** A list of the identifiers at a path. */
function identifiersCode(
  properties: readonly PropertyModel[],
  steps: readonly string[],
  holder: TsCode,
): TsCode {
  const { code, isList, isNull } = identifiersAt(properties, steps, { holder, isNull: false });
  if (isList) return isNull ? ts`${code} ?? []` : code;
  return isNull ? ts`[${code} ?? []].flat()` : ts`[${code}]`;
}

/** The code for one identifier, or for a list of them; `isNull`: it may be null, or undefined. */
interface Identifiers {
  readonly code: TsCode;
  readonly isList: boolean;
  readonly isNull: boolean;
}

/** The variable that holds the properties, which may be null. */
interface Held {
  readonly holder: TsCode;
  readonly isNull: boolean;
}

function identifiersAt(
  properties: readonly PropertyModel[],
  [step, ...rest]: readonly string[],
  { holder, isNull }: Held,
): Identifiers {
  const property = properties.find(({ name }) => name === step);
  // A path of the model leads to a reference.
  if (property === undefined) return { code: holder, isList: false, isNull };
  const { name, type, nullable } = property;
  const at = ts`${holder}${isNull ? ts`?.` : ts`.`}${word(name)}`;
  const mayBeNull = isNull || nullable;
  if (type.kind === "reference") {
    const id = word(type.identifier.name);
    return { code: ts`${at}${mayBeNull ? ts`?.` : ts`.`}${id}`, isList: false, isNull: mayBeNull };
  }
  if (type.kind === "object") {
    return identifiersAt(type.properties, rest, { holder: at, isNull: mayBeNull });
  }
  if (type.kind !== "array") return { code: at, isList: false, isNull };
  const call = isNull ? ts`?.` : ts`.`;
  const { items } = type;
  if (items.kind === "reference") {
    const id = word(items.identifier.name);
    return { code: ts`${at}${call}map(({ ${id} }) => ${id})`, isList: true, isNull };
  }
  const members = items.kind === "object" ? items.properties : [];
  const item = identifiersAt(members, rest, { holder: ts`item`, isNull: false });
  const code = item.isNull ? ts`${item.code} ?? []` : item.code;
  const method = item.isList || item.isNull ? ts`flatMap` : ts`map`;
  return { code: ts`${at}${call}${method}((item) => ${code})`, isList: true, isNull };
}

/** What references show that have no column: a statement for each reads it, however many entities there are. */
export function linkedDocs(entity: EntityModel): Doc[] {
  const shown = showingReferences(entity).filter(({ isLinked }) => isLinked);
  return shown.map(({ property, type, target }) => {
    const columns = type.embedded.map((embedded) => {
      const column = sqlName(embedded.name);
      return kindOf(embedded.type).selected(column, column);
    });
    const select = `SELECT ${[sqlName(target.name.idProperty), ...columns].join(", ")}`;
    const clauses = [select, `FROM ${sqlName(target.name.table)}`];
    const around = { indent: 6, before: "select: `", after: "`," };
    return objectDoc(
      [
        ts`path: ${literal(property.path)}`,
        ts`select: \`${templateText(clausesText(clauses, around))}\``,
        ts`idProperty: ${literal(target.name.idProperty)}`,
        ts`links: ${literal(linkName(entity.name.table, property.path))}`,
      ],
      true,
    );
  });
}
