import { mistake } from "../../diagnostics/diagnostic.js";
import { ts, word } from "../../naming/code.js";
import { sentenceWords } from "../../naming/resource-name.js";
import type { Json } from "../../samples/json.js";
import { stepOf, type Seed } from "../../samples/seed.js";
import { textColumn } from "../columns/text-column.js";
import type { TypeScope } from "../kind-model.js";
import { kindOf } from "../kinds.js";
import type { PropertyKind } from "../property-kind.js";
import type { PropertyModel } from "../property-model.js";
import type { PropertyObjectYaml } from "../property-yaml.js";
import { decoderName, referenceCode } from "./reference-code.js";
import { REFERENCE_KEYWORDS } from "./reference-keywords.js";
import type { ReferenceType, ReferenceYaml } from "./reference-type.js";

/** Another's identifier in an object, with what is embedded of the other (REP-4); the identifier alone is stored. */
export const referenceKind: PropertyKind<ReferenceType, ReferenceYaml> = {
  spelling: "keyword",
  synonyms: [],
  shape: "{ reference: users }",
  keywords: REFERENCE_KEYWORDS,
  takes: ["filterable", "sortable"],
  demands: {},
  isOrdered: () => false,
  valueCount: () => null,
  keywordMistakes: () => [],
  valueMistake: (_value, { role }) => mistake("SCH-103", { role }),

  normalise: normaliseReference,
  normaliseValue: (value) => value,
  facts: ({ target, identifier, onDelete }) => ({
    ...(target === null ? { external: true } : { refersTo: target.name.plural }),
    identifier: identifier.name,
    ...(identifier.type.kind === "string" && { identifierType: identifier.type.kind }),
    ...(onDelete === "setNull" && { onDelete }),
  }),

  ...textColumn,
  // What it shows beside the identifier is read from the other.
  encoding: ({ identifier }) => kindOf(identifier.type).encoding(identifier.type),
  encode: (value, { identifier }, nullable) =>
    nullable
      ? ts`${value}?.${word(identifier.name)} ?? null`
      : ts`${value}.${word(identifier.name)}`,
  decode: (value, type, nullable) => {
    const decoded = ts`${decoderName(type)}(row)`;
    return nullable ? ts`${value} === null ? null : ${decoded}` : decoded;
  },
  bind: () => null,

  ...referenceCode,

  samples: () => ({ valid: [], invalid: ["text", 1] }),
  seeded: seededReference,
};

const UUID_IDENTIFIER = { type: "uuid" } as const;
const TEXT_IDENTIFIER = { type: "string", maxLength: 255 } as const;

/** Texts of another are searched among those others. */
function shownFilter({ filterable }: PropertyModel): PropertyModel["filterable"] {
  return filterable === "search" ? true : filterable;
}

/** REP-4: the identifier is named after the other's entity. */
function normaliseReference(yaml: PropertyObjectYaml, scope: TypeScope): ReferenceType {
  const { embed = [], filterable = false, sortable = false } = yaml;
  const { singular, target, property } = scope.referred(yaml);
  const id = `${singular}Id`;
  const form = yaml.identifier === "string" ? TEXT_IDENTIFIER : UUID_IDENTIFIER;
  const [identifier] = scope.properties({
    [id]: { ...form, required: true, filterable, sortable },
  });
  // What stands inside JSON is compared by its identifier alone.
  const isCompared = identifier?.path.split(".").length === 2;
  const shown = (name: string): PropertyModel => {
    const found = property(name);
    return {
      ...found,
      default: null,
      unique: false,
      readOnly: true,
      immutable: false,
      filterable: isCompared && filterable && shownFilter(found),
      sortable: isCompared && sortable && found.sortable,
    };
  };
  return {
    kind: "reference",
    typeName: scope.typeName,
    localName: scope.localName,
    words: sentenceWords(singular),
    target,
    // One property was asked for.
    identifier: identifier as PropertyModel,
    embedded: embed.map(shown),
    onDelete: yaml.onDelete ?? "refuse",
    isDisclosed: yaml.disclose ?? false,
    isParent: scope.isParent,
    isPath: scope.isParent || yaml.listedUnder === true,
  };
}

/** REP-4: the identifier alone. */
function seededReference(
  { target, identifier, isParent }: ReferenceType,
  seed: Seed,
  word: string,
): Json {
  if (target === null) {
    const { name, type } = identifier;
    return { [name]: kindOf(type).seeded(type, seed, word) };
  }
  const anchors = seed.anchors(target.name.plural);
  // A child is made under the first one (CHD-2).
  const id = anchors[isParent ? 0 : stepOf(seed, anchors.length)]?.[identifier.name];
  return id === undefined ? null : { [identifier.name]: id };
}
