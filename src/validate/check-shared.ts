import { shown } from "../diagnostics/quoted.js";
import { kindNameOf, longForm, type PropertyObjectYaml } from "../kinds/property-yaml.js";
import type { PropertyYaml } from "../kinds/property-yaml.js";
import type { PathStep } from "../load/source-document.js";
import type { Findings } from "./findings.js";

/** A property that two versions have, as each of them says it. */
export interface Shared {
  readonly was: PropertyYaml;
  readonly is: PropertyYaml;
  /** Where it stands in the file of the newer version. */
  readonly place: readonly PathStep[];
  /** It holds the state, which is never null. */
  readonly isState: boolean;
  readonly name: string;
  /** The older version. */
  readonly older: string;
  readonly findings: Findings;
}

/** Keywords that say nothing of the values that a property can have, or of which more is asked below. */
const OTHER_KEYWORDS = new Set([
  ...["type", "enum", "items", "properties", "required", "description", "example", "default"],
  ...["deprecated", "filterable", "sortable", "unique", "readOnly", "immutable", "sensitive"],
  ...["renamedFrom", "converted", "inOlderVersions", "embed", "disclose", "onDelete", "exempt"],
]);

/** VER-2: both versions have the same values, so that each shows what the other has written. */
export function checkShared(shared: Shared): void {
  const was = longForm(shared.was);
  const is = longForm(shared.is);
  const isSameKind = same("type", [kindNameOf(was), kindNameOf(is)], shared);
  if (!isSameKind) return;
  // An array is never null.
  if (!shared.isState && was.items === undefined) {
    same("required", [was.required === true, is.required === true], shared);
  }
  const keywords = new Set([...Object.keys(was), ...Object.keys(is)]);
  for (const keyword of [...keywords].filter((name) => !OTHER_KEYWORDS.has(name))) {
    const values = [was, is].map((yaml): unknown => Reflect.get(yaml, keyword));
    if (!same(keyword, values, shared)) return;
  }
  checkValues(was, is, shared);
  if (was.items === undefined || is.items === undefined) return;
  const place = [...shared.place, "items"];
  // The items of an array are never null either.
  checkShared({ ...shared, was: was.items, is: is.items, place, isState: true });
}

function same(keyword: string, [was, is]: readonly unknown[], shared: Shared): boolean {
  if (JSON.stringify(was) === JSON.stringify(is)) return true;
  const { place, older, findings } = shared;
  const given = { older, keyword, then: told(was), now: told(is) };
  const suggestion =
    "Declare the same, or choose another name for the new property; with `converted: true`, custom code makes it from the old one.";
  findings.add("SCH-182", { path: [...place, keyword], part: "key" }, given, { suggestion });
  return false;
}

/** The values of an enum: new ones are shown as others, and none is taken away. */
function checkValues(was: PropertyObjectYaml, is: PropertyObjectYaml, shared: Shared): void {
  const { enum: known } = was;
  const { enum: values, inOlderVersions = {} } = is;
  if (known === undefined || values === undefined) return;
  const { place, older, findings, name } = shared;
  for (const [index, value] of values.entries()) {
    if (known.includes(value) || inOlderVersions[value] !== undefined) continue;
    const suggestion = `Add \`inOlderVersions: { ${value}: ${known[0] ?? ""} }\`, for example.`;
    const at = { path: [...place, "enum", index] };
    findings.add("SCH-174", at, { older, value }, { suggestion });
  }
  for (const value of known.filter((one) => !values.includes(one))) {
    const suggestion =
      "Keep the value, or choose another name for the new property; with `converted: true`, custom code makes it from the old one.";
    const at = { path: [...place, "enum"], part: "key" } as const;
    findings.add("SCH-175", at, { older, name, value }, { suggestion });
  }
  for (const [value, instead] of Object.entries(inOlderVersions)) {
    const at = { path: [...place, "inOlderVersions", value] } as const;
    if (!values.includes(value)) {
      const suggestion = `Values are ${values.join(", ")}.`;
      findings.add("SCH-176", { ...at, part: "key" }, { value }, { suggestion });
    } else if (!known.includes(value) && !known.includes(instead)) {
      const suggestion = `Values of ${older} are ${known.join(", ")}.`;
      findings.add("SCH-177", at, { older, value: instead }, { suggestion });
    }
  }
}

/** A keyword's value in a message. */
function told(value: unknown): string {
  return value === undefined ? "not said" : shown(value);
}
