import type { KindName, OwnKeywords } from "./kinds.js";

/** The words for `type`; the other kinds are said by a keyword of their own. */
export type TypeWord = Exclude<KindName, "enum" | "reference">;

/** `title: string` is short for `title: { type: string }`; a property with `enum` has no `type`. */
export type PropertyYaml = TypeWord | PropertyObjectYaml;

/** The long form of a property: its keywords. */
export type PropertyObjectYaml = CommonYaml & OwnKeywords;

/** The keywords that belong to all kinds. */
export interface CommonYaml {
  readonly type?: TypeWord;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: string | number | boolean;
  readonly deprecated?: boolean;
  /** `range`: by bounds as well (QRY-3); `search`: by parts of texts (QRY-7). */
  readonly filterable?: boolean | "range" | "search";
  readonly sortable?: boolean;
  readonly unique?: boolean;
  readonly readOnly?: boolean;
  readonly immutable?: boolean;
  readonly sensitive?: boolean;
  readonly exempt?: { readonly "NAM-3"?: string; readonly "REP-4"?: string };
  /** Its previous name, which the previous version still has (VER-2). */
  readonly renamedFrom?: string;
  /** It is made of properties of the previous version that are gone, and those of it: by custom code, or by these words (VER-2). */
  readonly converted?: boolean | ConvertedYaml;
}

/** How a property is made of one of the previous version, and that one of it. */
export interface ConvertedYaml {
  /** The property of the previous version. */
  readonly from: string;
  /** How many units of an integer make 1 of this decimal: 100 cents. */
  readonly unit?: number;
  /** The values of an enum that are called otherwise here, by their former names. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Says whether a property is made of others of the previous version. */
export function isConverted({ converted }: CommonYaml): boolean {
  return converted !== undefined && converted !== false;
}

/** The long form of a property, whichever was written. */
export function longForm(yaml: PropertyYaml): PropertyObjectYaml {
  return typeof yaml === "string" ? { type: yaml } : yaml;
}

/** What a property's keywords make of it; null where they do not say. */
export function kindNameOf({ type, enum: values, reference }: PropertyObjectYaml): KindName | null {
  if (type === undefined && values === undefined && reference !== undefined) return "reference";
  if (values !== undefined && (type === undefined || type === "string")) return "enum";
  return type ?? null;
}

/** A kind as messages name it: `an integer`. */
export function kindWords(kind: KindName): string {
  return /^[aeio]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
