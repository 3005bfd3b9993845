import type { At, Findings } from "./findings.js";
import { mapping } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { CheckedResource } from "./read-resource.js";

/** What a property has become: another one, or nothing. */
type Become = Map<string, string>;

/** VER-2: what `renamedFrom` and `removed` say of earlier properties holds together. */
export function checkHistory({ value, properties, findings }: CheckedResource): void {
  const named = properties.filter(({ isItem }) => !isItem);
  const present = new Map(named.map((one) => [pathOf(one), one.yaml.renamedFrom]));
  const become: Become = new Map();
  for (const property of named) checkRenamed(property, present, become, findings);
  for (const path of Object.keys(mapping(value["removed"]))) {
    const at = { path: ["removed", path], part: "key" } as const;
    if (present.has(path)) findings.add("SCH-140", at, { former: path });
    claim({ former: path, now: "nothing", at }, become, findings);
  }
}

function checkRenamed(
  property: PropertyPlace,
  present: ReadonlyMap<string, unknown>,
  become: Become,
  findings: Findings,
): void {
  const { renamedFrom } = property.yaml;
  if (typeof renamedFrom !== "string") return;
  const at = { path: [...property.path, "renamedFrom"] };
  const former = inSameObject(property, renamedFrom);
  if (present.has(former)) {
    const isSwapped = present.get(former) === property.name;
    const suggestion = isSwapped ? SWAPPED : RENAMED_LONG_AGO;
    findings.add("SCH-140", at, { former: renamedFrom }, { suggestion });
  }
  claim({ former, now: `"${property.name}"`, at }, become, findings);
}

const SWAPPED =
  "Two names cannot be swapped at once. A name that an older version serves is not free until that version is retired: choose other names. " +
  "Where no older version is served, rename the first property to a third name, and run `generate`. Take its `renamedFrom` away, give the second the free name, and run it again. Take that `renamedFrom` away as well, and give the first the other name.";

const RENAMED_LONG_AGO =
  "A name that an older version serves is not free: give the new property another name until that version is retired. " +
  "Where no older version is served, and the migration of the renaming is applied everywhere, take `renamedFrom` away.";

function claim(
  { former, now, at }: { readonly former: string; readonly now: string; readonly at: At },
  become: Become,
  findings: Findings,
): void {
  const other = become.get(former);
  if (other === undefined) become.set(former, now);
  else findings.add("SCH-142", at, { former, one: other, other: now });
}

/** `deliveryAddress.state`; the items of a list have no step of their own. */
function pathOf({ holders, name }: PropertyPlace): string {
  const outer = holders.filter(({ isItem }) => !isItem).map((holder) => holder.name);
  return [...outer, name].join(".");
}

function inSameObject(property: PropertyPlace, name: string): string {
  return pathOf({ ...property, name });
}
