import { ts, word } from "../../naming/code.js";
import { literal, type TsCode } from "../../naming/encoders.js";
import type { JsonSchema } from "../json-schema.js";
import type { KindCode, SchemaUse } from "../kind-code.js";
import { kindOf } from "../kinds.js";
import { notBlank, objectSchema } from "../property-schema.js";
import type { ReferenceType } from "./reference-type.js";
import { ofSchema } from "../../naming/imported.js";

/** How references are read, written and described. */
export const referenceCode: KindCode<ReferenceType> = {
  tsType: ({ typeName }) => ofSchema(`type ${typeName}`),
  jsonSchema: referenceSchema,
  describe: describeReference,
  // What it leads to is found before the body is read.
  reader: () => ts`@reference`,
  filter: () => null,
  write: (value, { localName }) => ts`${word(`write${localName}`)}(${value}, inner)`,
};

function describeReference({ target, words, embedded, onDelete }: ReferenceType): string {
  const where = target === null ? `${words} of another service` : `one of ${target.name.plural}`;
  const shown = embedded.map(({ name }) => name).join(", ");
  return [
    where,
    ...(shown === "" ? [] : [`shown with ${shown}`]),
    ...(onDelete === "setNull" ? ["null when that is deleted"] : []),
  ].join("; ");
}

/** The function that makes the reference of a row. */
export function decoderName({ localName }: ReferenceType): TsCode {
  return word(`decode${localName}`);
}

/** On input the identifier is read and the embedded names are ignored. */
function referenceSchema(
  { identifier, embedded, target }: ReferenceType,
  use: SchemaUse,
): JsonSchema {
  const shown = objectSchema([identifier, ...embedded], use);
  if (use === "answer") return { type: "object", ...shown };
  const ignored = embedded.map(({ name }) => [name, { readOnly: true }]);
  const { name } = identifier;
  // Tools that make up bodies need to know whose identifiers these are.
  const whose = target === null ? {} : { "x-references": target.name.plural };
  const schema = notBlank(kindOf(identifier.type).jsonSchema(identifier.type, use), use);
  const own = { [name]: { ...schema, ...whose } };
  return {
    type: "object",
    ...(use !== "part" && { required: [name] }),
    properties: { ...own, ...(Object.fromEntries(ignored) as JsonSchema) },
    additionalProperties: false,
  };
}

/** The names that a reference may hold in a body. */
export function referenceNames({ identifier, embedded }: ReferenceType): TsCode[] {
  return [identifier, ...embedded].map(({ name }) => literal(name));
}
