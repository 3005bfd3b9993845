import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { readTree } from "./read-tree.js";
import { RUNTIME_SOURCE } from "./runtime.js";

interface Payloads {
  readonly code_payloads: readonly { readonly id: string; readonly text: string }[];
  readonly path_names: readonly string[];
  readonly prototype_names: readonly string[];
  readonly js_words: readonly string[];
  readonly sql_words: readonly string[];
  readonly windows_device_names: readonly string[];
}

/** Hostile texts and names. */
export const PAYLOADS = JSON.parse(
  readFileSync(resolve("fixtures/hostile/payloads.json"), "utf8"),
) as Payloads; // The file's shape is fixed.

/** What emitted code calls its own variables, members and constants. */
const OWN_WORDS =
  "assemble body call collection columns common constructor count counted create decode delete deletes encode " +
  "entity entityType filters hook hooks id idProperty inner input insert item runtime line list name names page pages " +
  "paging pageEntity path properties query read readers reference references registry registryResource reply repository replace report route row search select " +
  "accessOf actingRepository action actionRules actions answer arguments await body caller class conditions context " +
  "default error given kept later length next operation own parent problems request result rules scope scopeOf " +
  "serviceContext serviceEntities services serviceStores settings sorts store stored stores subject table type update value values version versions";

const GLOBALS =
  "Array Awaited Boolean Buffer Date Error Event Function Headers Infinity Iterator JSON Map Math NaN Number Object Omit " +
  "Partial Pick Promise Proxy Readonly Record Reflect RegExp Request Required Response ReturnType Set String Symbol URL WeakMap console " +
  "exports fetch global globalThis module process require undefined";

/** Every name that the runtime exports. */
export function runtimeNames(): readonly string[] {
  const exported =
    /^export (?:abstract )?(?:async )?(?:class|const|function|interface|type) (\w+)/gm;
  const texts = Object.values(readTree(resolve(RUNTIME_SOURCE)));
  return texts.flatMap((text) => [...text.matchAll(exported)].map(([, name = ""]) => name));
}

/** What emitted code calls its own things. */
export function ownNames(): readonly string[] {
  return OWN_WORDS.split(" ");
}

/** camelCase names that mean something already: in JavaScript, in SQL, in the runtime, in emitted code. */
export function awkwardNames(): readonly string[] {
  const { prototype_names, js_words, sql_words } = PAYLOADS;
  const own = [OWN_WORDS, GLOBALS].flatMap((words) => words.split(" "));
  const all = [...runtimeNames(), ...own, ...prototype_names, ...js_words, ...sql_words];
  const names = new Map(all.map((name) => [name.toLowerCase(), lowerFirst(name)]));
  return [...names.values()].filter((name) => /^[a-z][a-zA-Z0-9]*$/.test(name)).sort();
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
