import { longForm, type PropertyObjectYaml, type PropertyYaml } from "../kinds/property-yaml.js";
import type { Versions } from "./check-lineage.js";
import { isRetired } from "./check-status.js";
import type { PropertiesYaml } from "./object-step.js";
import type { ActionYaml } from "./resource-document.js";

/**
 * SCH-322: the same code carries out an action in all versions that are served, so that it is sent and answers the same in
 * each (OPS-11, VER-2). The oldest comes first.
 */
export function checkSameActions({ versions, declared }: Versions): void {
  const served = versions.filter(({ lineage }) => !isRetired(declared[lineage.version]));
  const known = new Map<string, { readonly version: string; readonly action: ActionYaml }>();
  for (const { lineage, findings } of served) {
    const { version, value } = lineage;
    for (const [name, action] of Object.entries(value.actions ?? {})) {
      const older = known.get(name);
      known.set(name, { version, action });
      const [part] = older === undefined ? [] : differing(older.action, action);
      if (older === undefined || part === undefined) continue;
      const at = { path: ["actions", name], part: "key" } as const;
      const suggestion = `Declare it as ${older.version} does; or give the action of this version another name, such as ${name}2.`;
      findings.add("SCH-322", at, { name, older: older.version, part }, { suggestion });
    }
  }
}

/** What of two actions is of different shapes. */
function differing(older: ActionYaml, newer: ActionYaml): string[] {
  return [
    ...((older.on ?? "entity") === (newer.on ?? "entity") ? [] : ["its target (`on`)"]),
    ...(isSame(older.input, newer.input) ? [] : ["its input"]),
    ...(isSame(answerOf(older), answerOf(newer)) ? [] : ["its response"]),
  ];
}

/** An object of its own; undefined: the entity, or nothing. */
function answerOf({ answers }: ActionYaml): PropertiesYaml | undefined {
  return typeof answers === "object" ? answers : undefined;
}

function isSame(older: PropertiesYaml = {}, newer: PropertiesYaml = {}): boolean {
  const names = Object.keys(newer);
  return (
    names.length === Object.keys(older).length &&
    names.every((name) => shapeOf(older[name]) === shapeOf(newer[name]))
  );
}

/** As own code sees a property: bounds, and what is embedded, may differ. */
function shapeOf(short: PropertyYaml | undefined): string {
  if (short === undefined) return "";
  const yaml = longForm(short);
  const { required = false, format = "", reference, items, properties = {} } = yaml;
  const words = [yaml.type ?? "", String(required), format, String(yaml.scale ?? "")];
  const inner = Object.keys(properties).sort();
  return JSON.stringify([
    reference === undefined ? words : ["reference", String(required), ...targetOf(yaml)],
    [...(yaml.enum ?? [])].sort(),
    shapeOf(items),
    inner.map((name) => [name, shapeOf(properties[name])]),
  ]);
}

/** Where a reference leads, which each version may call otherwise, and what it is identified by. */
function targetOf({ reference = "", external, entity, identifier }: PropertyObjectYaml): string[] {
  return external === true ? ["external", entity ?? reference, identifier ?? ""] : [reference];
}
