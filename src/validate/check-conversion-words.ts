import { Decimal, decimalParts } from "#runtime/base/decimal";
import {
  kindNameOf,
  longForm,
  type ConvertedYaml,
  type PropertyObjectYaml,
} from "../kinds/property-yaml.js";
import { BOUNDS } from "../kinds/numbers/bounds.js";
import type { Objects } from "./check-lineage.js";
import { renamedValues } from "./object-step.js";

const HOW =
  "Write `converted: true` at all that is made in this object, and the functions in the file that `generate` then creates.";

/** SCH-439: what words say of a conversion has to make every value of both versions, and that of the other again. */
export function checkConversionWords({ older, newer, step, before, after, path }: Objects): void {
  const { converted, place } = step;
  if (converted === null) return;
  const said = converted.newer.flatMap((name, index): readonly Said[] => {
    const words = converted.words[index] ?? null;
    return words === null ? [] : [{ name, words }];
  });
  if (said.length === 0) return;
  const { version } = older.lineage;
  const tell = (name: string, why: string): void => {
    const at = { path: [...place, name, "converted"], part: "key" } as const;
    newer.findings.add("SCH-439", at, { name: path + name, why }, { suggestion: HOW });
  };
  for (const name of converted.newer) {
    const own = said.find((one) => one.name === name);
    if (own === undefined)
      tell(name, "others in this object have words, and custom code makes all or none");
    else {
      const isGone = converted.older.includes(own.words.from);
      const why = isGone
        ? wrongWords(own, { said, older: before, newer: after, version })
        : `${version} has no property \`${path}${own.words.from}\` that is gone here`;
      if (why !== null) tell(name, why);
    }
  }
  const [first] = said;
  const unused = converted.older.find((name) => !said.some(({ words }) => words.from === name));
  if (first !== undefined && unused !== undefined && said.length === converted.newer.length) {
    tell(
      first.name,
      `nothing is made of \`${path}${unused}\` of ${version}, so it could not be shown there`,
    );
  }
}

interface Said {
  readonly name: string;
  readonly words: ConvertedYaml;
}

interface Beside {
  readonly said: readonly Said[];
  readonly older: Objects["before"];
  readonly newer: Objects["after"];
  readonly version: string;
}

/** Why words do not turn one value into the other and back; null: they do. */
function wrongWords({ name, words }: Said, { said, older, newer, version }: Beside): string | null {
  const { from, unit, values } = words;
  const was = longForm(older[from] ?? {});
  const is = longForm(newer[name] ?? {});
  if ((unit === undefined) === (values === undefined)) return "it says either `unit` or `values`";
  if (said.some((one) => one.name !== name && one.words.from === from))
    return `\`${from}\` is converted twice`;
  if ((was.required === true) !== (is.required === true))
    return `\`required\` differs from that of \`${from}\` in ${version}`;
  const [wasKind, isKind] = [kindNameOf(was), kindNameOf(is)];
  if (unit !== undefined) {
    return wasKind === "integer" && isKind === "decimal"
      ? wrongUnit({ was, is, from, version }, unit)
      : "`unit` makes a decimal of an integer";
  }
  return wasKind === "enum" && isKind === "enum"
    ? wrongValues({ was: was.enum ?? [], is: is.enum ?? [] }, words, version)
    : "only an enum has `values`";
}

interface Numbers {
  readonly was: PropertyObjectYaml;
  readonly is: PropertyObjectYaml;
  readonly from: string;
  readonly version: string;
}

/** Each version could write what the other cannot show, if it had more digits or other bounds. */
function wrongUnit({ was, is, from, version }: Numbers, unit: number): string | null {
  const scale = Math.log10(unit);
  if ((is.scale ?? 0) !== scale)
    return `\`unit: ${unit}\` makes a decimal with \`scale: ${scale}\``;
  for (const bound of BOUNDS) {
    const [then, now] = [decimalOrNull(was[bound]), decimalOrNull(is[bound])];
    const wanted = then?.dividedBy(unit, scale) ?? null;
    const isSame = wanted === null || now === null ? wanted === now : wanted.compare(now) === 0;
    const told = wanted === null ? "none" : `\`${wanted.toString()}\``;
    if (!isSame)
      return `\`${bound}\` is not that of \`${from}\` in ${version}, which is ${told} here`;
  }
  return null;
}

/** Null for none. A bound that is not a decimal is reported by itself. */
function decimalOrNull(bound: unknown): Decimal | null {
  return bound === undefined || decimalParts(String(bound)) === null
    ? null
    : Decimal.of(String(bound));
}

/** Each value has exactly one in the other version. */
function wrongValues(
  { was, is }: { readonly was: readonly string[]; readonly is: readonly string[] },
  words: ConvertedYaml,
  version: string,
): string | null {
  const unknown = Object.keys(words.values ?? {}).find((value) => !was.includes(value));
  if (unknown !== undefined) return `${version} has no value \`${unknown}\``;
  const names = Object.values(renamedValues(was, words));
  const missing = names.find((value) => !is.includes(value));
  if (missing !== undefined) return `\`${missing}\` is not one of its values`;
  const added = is.find((value) => !names.includes(value));
  if (added !== undefined) return `no value of ${version} becomes \`${added}\``;
  const double = names.find((value, index) => names.indexOf(value) < index);
  return double === undefined ? null : `two values of ${version} become \`${double}\``;
}
