import { Decimal, decimalParts } from "#runtime/base/decimal";
import { suggestion } from "#runtime/base/texts";
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
  "Correct this, or write `converted: true` at all that is made in this object, and the functions in the file that `generate` then creates.";

/** SCH-439: what words say of a conversion has to make every value of both versions, and that of the other again. */
export function checkConversionWords({ older, newer, step, before, after, path }: Objects): void {
  const { converted, place } = step;
  if (converted === null || converted.words.size === 0) return;
  const { words } = converted;
  const { version } = older.lineage;
  let isTold = false;
  const tell = (name: string, why: string, suggestion = HOW): void => {
    isTold = true;
    const word = [...place, name, "converted"];
    // What is wrong in the words themselves is told already.
    if (newer.findings.isToldIn({ path: word })) return;
    const at = { path: word, part: "key" } as const;
    newer.findings.add("SCH-439", at, { name: path + name, why }, { suggestion });
  };
  const used = [...words.values()].map(({ from }) => from);
  for (const name of converted.newer) {
    const said = words.get(name);
    if (said === undefined) {
      tell(name, "others in this object have words, and custom code makes all or none");
    } else if (!converted.older.includes(said.from)) {
      const near = suggestion(said.from, converted.older);
      tell(name, `${version} has no property \`${path}${said.from}\` that is gone here${near}`);
    } else if (used.filter((from) => from === said.from).length > 1) {
      tell(name, `\`${said.from}\` is converted twice`);
    } else {
      const [was, is] = [longForm(before[said.from] ?? {}), longForm(after[name] ?? {})];
      const why = wrongWords(said, { was, is, version });
      if (why !== null) tell(name, why);
    }
  }
  const unused = converted.older.find((name) => !used.includes(name));
  const [first = ""] = converted.newer;
  if (unused !== undefined && !isTold) {
    const why = `nothing is made of \`${path}${unused}\` of ${version}, which is gone as well`;
    tell(first, why, `Write \`removed: { ${path}${unused}: why }\`. Otherwise: ${HOW}`);
  }
}

/** What a conversion leads from and to. */
interface Sides {
  readonly was: PropertyObjectYaml;
  readonly is: PropertyObjectYaml;
  readonly version: string;
}

/** Why words do not turn one value into the other and back; null: they do. */
function wrongWords(words: ConvertedYaml, sides: Sides): string | null {
  const { from, unit, values } = words;
  const { was, is, version } = sides;
  if ((unit === undefined) === (values === undefined)) return "it says either `unit` or `values`";
  if ((was.required === true) !== (is.required === true))
    return `\`required\` differs from that of \`${from}\` in ${version}`;
  const [wasKind, isKind] = [kindNameOf(was), kindNameOf(is)];
  if (unit !== undefined) {
    return wasKind === "integer" && isKind === "decimal"
      ? wrongUnit(sides, from, unit)
      : "`unit` makes a decimal of an integer";
  }
  return wasKind === "enum" && isKind === "enum"
    ? wrongValues(sides, words)
    : "only an enum has `values`";
}

/** Each version could write what the other cannot show, if it had more digits or other bounds. */
function wrongUnit({ was, is, version }: Sides, from: string, unit: number): string | null {
  const scale = Math.log10(unit);
  if ((is.scale ?? 0) !== scale)
    return `\`unit: ${unit}\` makes a decimal with \`scale: ${scale}\``;
  for (const bound of BOUNDS) {
    const [then, now] = [decimalOrNull(was[bound]), decimalOrNull(is[bound])];
    const wanted = then?.dividedBy(unit, scale) ?? null;
    const isSame = wanted === null || now === null ? wanted === now : wanted.compare(now) === 0;
    if (isSame) continue;
    return wanted === null
      ? `\`${from}\` has no \`${bound}\` in ${version}`
      : `\`${bound}\` of \`${from}\` in ${version} is \`${wanted.toString()}\` here`;
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
function wrongValues({ was, is, version }: Sides, words: ConvertedYaml): string | null {
  const [older, newer] = [was.enum ?? [], is.enum ?? []];
  const unknown = Object.keys(words.values ?? {}).find((value) => !older.includes(value));
  if (unknown !== undefined) return `${version} has no value \`${unknown}\``;
  const names = Object.values(renamedValues(older, words));
  const missing = names.find((value) => !newer.includes(value));
  if (missing !== undefined) return `\`${missing}\` is not one of its values`;
  const added = newer.find((value) => !names.includes(value));
  if (added !== undefined) return `no value of ${version} becomes \`${added}\``;
  const double = names.find((value, index) => names.indexOf(value) < index);
  return double === undefined ? null : `two values of ${version} become \`${double}\``;
}
