import { isConverted, longForm, type PropertyYaml } from "../kinds/property-yaml.js";
import type { PathStep } from "../load/source-document.js";
import type { CheckedVersion, Objects, Versions } from "./check-lineage.js";
import { innerYaml, type ObjectStep, type PropertiesYaml } from "./object-step.js";

const NOTHING_GONE = "Take `converted` away: it is a new property, which hooks can fill.";

/** What is converted refers to nothing, and has a name of its own. */
export function checkConverted({ older, newer, step, before, path }: Objects): void {
  const { converted, place } = step;
  if (converted === null) return;
  const { version } = older.lineage;
  const referring = converted.older.filter((name) => refers(before[name] ?? {}));
  for (const name of converted.newer) {
    const at = { path: [...place, name, "converted"], part: "key" } as const;
    if (converted.older.includes(name)) {
      const suggestion = `Give it another name, such as \`${name}InOtherUnits\`.`;
      newer.findings.add("SCH-432", at, { older: version, name: path + name }, { suggestion });
    }
    if (converted.older.length === 0) {
      const [gone] = step.removed.map((one) => `\`${path}${one}\``);
      const suggestion =
        gone === undefined
          ? NOTHING_GONE
          : `Where it is made of ${gone}, take that out of \`removed\`. Otherwise take \`converted\` away: hooks can fill it.`;
      newer.findings.add("SCH-183", at, {}, { suggestion });
    }
    for (const was of referring) {
      const suggestion = `Keep \`${was}\`, under another name with \`renamedFrom: ${was}\` where it needs one, or remove it: \`removed: { ${path}${was}: why }\`. Its sibling properties can be converted.`;
      newer.findings.add("SCH-310", at, { older: version, name: path + was }, { suggestion });
    }
  }
}

function refers(short: PropertyYaml): boolean {
  const { reference, properties = {} } = innerYaml(short);
  return reference !== undefined || Object.values(properties).some(refers);
}

/** What is wrong in a version that has none before it. */
export function checkFirst({ versions: [first], isContinued }: Versions): void {
  if (first === undefined || isContinued) return;
  for (const place of convertedIn(first.lineage.value.properties, ["properties"])) {
    const at = { path: [...place, "converted"], part: "key" } as const;
    first.findings.add("SCH-183", at, {}, { suggestion: NOTHING_GONE });
  }
}

/** Where something says that it is converted. */
function convertedIn(properties: PropertiesYaml, place: readonly PathStep[]): PathStep[][] {
  return Object.entries(properties).flatMap(([name, short]) => {
    const yaml = longForm(short);
    const { items } = yaml;
    const own = [...place, name];
    const inner = [...own, ...(items === undefined ? [] : ["items"]), "properties"];
    return [
      ...(isConverted(yaml) ? [own] : []),
      ...convertedIn(innerYaml(short).properties ?? {}, inner),
    ];
  });
}

/** Two steps of an object, one after the other. */
interface Steps {
  readonly step: ObjectStep;
  readonly next: ObjectStep;
  /** The version before both. */
  readonly older: string;
}

/** SCH-186: what own code has made is not converted once more, at any depth. */
export function checkTwice({ step, next, older }: Steps, third: CheckedVersion): void {
  const [first = ""] = next.converted?.newer ?? [];
  const at = { path: [...next.place, first, "converted"], part: "key" } as const;
  for (const name of step.converted?.newer ?? []) {
    if (next.converted?.older.includes(name) === true)
      third.findings.add("SCH-186", at, { older, name });
  }
  for (const { newer, inner } of step.kept) {
    const later = next.kept.find((kept) => kept.older === newer)?.inner ?? null;
    if (inner !== null && later !== null) {
      checkTwice({ step: inner, next: later, older }, third);
    }
  }
}
