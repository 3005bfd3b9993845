import { ADVICE, didYouMean } from "../diagnostics/advice.js";
import { nearest } from "../naming/nearest.js";
import { isReservedType } from "../naming/reserved.js";
import { upperFirst } from "../naming/resource-name.js";
import type { PathStep } from "../load/source-document.js";
import { checkWhere } from "./check-where.js";
import type { At, Findings } from "./findings.js";
import { isMapping, own } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { CheckedResource } from "./read-resource.js";
import { representedEntity } from "./represented.js";
import type { Beside } from "./scope.js";

/** Keys that only the original can have (REP-7). */
const ORIGINALS_KEYS = [
  "entity",
  "states",
  "actions",
  "parent",
  "commonFilters",
  "indexes",
  "unique",
  "events",
  "emits",
  "renamedFrom",
];

/** A property of the original, and the name that it has here. */
interface Shown {
  readonly name: string;
  readonly original: string;
  readonly path: readonly PathStep[];
}

/** A representation whose original there is, with what it shows of it. */
export interface ShownResource extends Beside {
  readonly resource: CheckedResource;
  readonly original: CheckedResource;
  /** What it shows of the properties of its original. */
  readonly shown: readonly Shown[];
  /** The same with all that they hold. */
  readonly places: readonly PropertyPlace[];
}

/** What a representation shows; null where its original is none that can be represented. */
export function shownResource(resource: CheckedResource, beside: Beside): ShownResource | null {
  const { represents, properties } = resource.value;
  const original = beside.stored.find((one) => one.value["resource"] === represents);
  if (original === undefined || typeof represents !== "string") return null;
  const shown = shownIn(properties);
  const places = shown.flatMap((one) => placesOf(one, original));
  return { ...beside, resource, original, shown, places };
}

/** `where` says which objects a representation shows: a resource of its own shows all of its own. */
export function checkNoWhere({ findings, value }: CheckedResource): void {
  if (value["where"] === undefined) return;
  const suggestion = "Add `represents`, or write an alias.";
  findings.add("SCH-61", { path: ["where"], part: "key" }, {}, { suggestion });
}

/** SCH-56: what only the original can have stands there. */
export function checkKeys({ value, findings }: CheckedResource): void {
  for (const key of ORIGINALS_KEYS.filter((name) => value[name] !== undefined)) {
    const at = { path: [key], part: "key" } as const;
    findings.add("SCH-56", at, { key }, { suggestion: ADVICE.remove });
  }
}

/** REP-7: a representation is one of a resource that is there. */
export function checkOriginal(
  { value, findings }: CheckedResource,
  { stored, scope }: Beside,
): void {
  const { represents } = value;
  if (typeof represents !== "string") return;
  if (scope.unread.has(represents)) return;
  if (stored.some((one) => one.value["resource"] === represents)) return;
  const at = { path: ["represents"] };
  const its = scope.representations.get(represents);
  if (its !== undefined) {
    return findings.add("SCH-55", at, { represents }, { suggestion: `Represent "${its}".` });
  }
  const near = nearest(
    represents,
    stored.map((one) => String(one.value["resource"])),
  );
  const suggestion = didYouMean(near);
  findings.add("SCH-37", at, { represents }, { suggestion });
}

/** SCH-122: the type of a representation has a name that is free. */
export function checkTypeName({ resource, stored, scope }: ShownResource): void {
  const { findings, value } = resource;
  const entity = representedEntity(value, stored, scope.plurals);
  if (entity === null || !isReservedType(upperFirst(entity))) return;
  const suggestion = "Choose a longer name.";
  findings.add("SCH-122", { path: ["resource"] }, { name: upperFirst(entity) }, { suggestion });
}

/** The valid parts of `properties`: a list, or a mapping of own names. */
export function shownIn(properties: unknown): Shown[] {
  const named: readonly (readonly [PathStep, unknown])[] = Array.isArray(properties)
    ? [...(properties as unknown[]).entries()]
    : isMapping(properties)
      ? Object.entries(properties)
      : [];
  return named.flatMap(([step, original]) => {
    if (typeof original !== "string") return [];
    const name = typeof step === "number" ? original : step;
    return [{ name, original, path: ["properties", step] }];
  });
}

/** The property and all that it holds, as the representation names them. */
function placesOf(
  { name, original, path }: Shown,
  { properties }: CheckedResource,
): PropertyPlace[] {
  const found = properties.find(
    ({ holders, name: own }) => holders.length === 0 && own === original,
  );
  if (found === undefined) return [];
  const root = { ...found, name, path };
  return [
    root,
    ...properties
      .filter(({ holders }) => holders[0] === found)
      .map((place) => ({
        ...place,
        // The items of an array have the name of the array.
        name: place.isItem && place.holders.length === 1 ? name : place.name,
        holders: [root, ...place.holders.slice(1)],
      })),
  ];
}

/** REP-7: a representation shows properties that its original has, each once. */
export function checkShown({
  shown,
  original: shows,
  resource: { findings },
}: ShownResource): void {
  const { properties, value } = shows;
  const known = properties.filter(({ holders }) => holders.length === 0).map(({ name }) => name);
  const resource = String(value["resource"]);
  for (const [index, { original, path }] of shown.entries()) {
    if (!known.includes(original)) {
      const suggestion =
        newName(original, properties, findings) ?? didYouMean(nearest(original, known));
      findings.add("SCH-57", { path }, { resource, name: original }, { suggestion });
    } else if (shown.findIndex((one) => one.original === original) < index) {
      const suggestion = ADVICE.keepOne;
      findings.add("SCH-58", { path }, { name: original }, { suggestion });
    }
  }
}

/** What the original says that it has renamed is shown under its new name. */
function newName(
  former: string,
  properties: readonly PropertyPlace[],
  { document }: Findings,
): string | null {
  const renamed = properties.find(
    ({ holders, yaml }) => holders.length === 0 && yaml.renamedFrom === former,
  );
  if (renamed === undefined) return null;
  const older: unknown = Reflect.get(Object(document.value), "sameAs");
  const copy =
    typeof older === "string" ? ` in a copy of ${older}'s file instead of \`sameAs\`` : "";
  return `It is called \`${renamed.name}\` in this version: write \`${former}: ${renamed.name}\`${copy}, so that it is shown as \`${former}\` as before.`;
}

/** The names of its own that a representation shows; those of its original have been checked there. */
export function ownNames({ shown, places }: ShownResource): readonly PropertyPlace[] {
  const renamed = shown.filter((one) => one.name !== one.original).map(({ path }) => path);
  return places
    .filter(({ path }) => renamed.includes(path))
    .map((place) => {
      // What exempts the original's name does not exempt this one.
      const { exempt: _originals, ...yaml } = place.yaml;
      return { ...place, yaml };
    });
}

/** Conditions use the names of the original, since they compare stored values. */
export function checkShownWhere({ resource, original, shown, scope }: ShownResource): void {
  const { value, findings } = resource;
  const where = { value: value["where"], path: ["where"], otherName };
  checkWhere(where, original.properties, findings, scope);

  function otherName(path: string): string | null {
    const [name = ""] = path.split(".");
    const own = shown.find((one) => one.name === name && one.original !== name);
    return own === undefined ? null : `The original calls it "${own.original}".`;
  }
}

/** OPS-1: what is not shown is null or its default in what is created here. */
export function checkCreate({ resource, original, shown }: ShownResource): void {
  const { value, findings } = resource;
  const { operations } = value;
  if (Array.isArray(operations) && !operations.includes("create")) return;
  const at: At = { path: [operations === undefined ? "resource" : "operations"] };
  if (original.value["parent"] !== undefined) {
    const suggestion = "Leave create out of `operations`.";
    return findings.add("SCH-59", at, {}, { suggestion });
  }
  const state = own(original.value["states"], "property");
  const missing = original.properties.find(
    (property) =>
      property.holders.length === 0 &&
      property.name !== state &&
      isDemanded(property) &&
      !shown.some((one) => one.original === property.name),
  );
  if (missing === undefined) return;
  const suggestion = "Show it, give it a `default`, or leave create out of `operations`.";
  findings.add("SCH-60", at, { name: missing.name }, { suggestion });
}

function isDemanded({ kind, yaml }: PropertyPlace): boolean {
  if (kind === "array") return Number(yaml.minItems ?? 0) > 0;
  return yaml.required === true && yaml.default === undefined;
}
