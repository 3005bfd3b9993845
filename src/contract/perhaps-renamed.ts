import { isEqual, type Json } from "../samples/json.js";
import type { EarlierShape } from "../model/earlier-shape.js";
import type { PropertyContract, ResourceContract } from "./resource-contract.js";

type Properties = ResourceContract["properties"];

/**
 * Properties that are like one that is gone in all but the name, each with the name that one had: perhaps somebody
 * renamed them. What could be two, or what the schema says something of, is none.
 */
export function perhapsRenamed(
  before: ResourceContract,
  after: ResourceContract,
  { removed, converted, renamed }: EarlierShape,
): Readonly<Record<string, string>> {
  if (converted.length > 0) return {};
  const told = Object.entries(renamed).map(([path, name]) => holderOf(path) + name);
  const gone = alone(before.properties, after.properties).filter(
    (path) => !removed.includes(path) && !told.includes(path),
  );
  const come = alone(after.properties, before.properties).filter((path) => !(path in renamed));
  const pairs = come.flatMap((path) =>
    gone
      .filter((former) => holderOf(former) === holderOf(path))
      .filter((former) => isAlike(former, before.properties, path, after.properties))
      .map((former) => ({ path, former })),
  );
  const isOnly = (one: { readonly path: string; readonly former: string }): boolean =>
    pairs.filter(({ path, former }) => path === one.path || former === one.former).length === 1;
  return Object.fromEntries(
    pairs.filter(isOnly).map(({ path, former }) => [path, former.slice(holderOf(path).length)]),
  );
}

/** Paths of one side whose holder is on both. */
function alone(properties: Properties, others: Properties): string[] {
  return Object.keys(properties).filter((path) => {
    if (path in others || path.endsWith("[]") || properties[path]?.embedded === true) return false;
    const holder = holderOf(path).replace(/\.$/, "");
    return holder === "" || holder in others;
  });
}

/** With its dot: `deliveryAddress.` for `deliveryAddress.state`. */
function holderOf(path: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1);
}

function isAlike(former: string, before: Properties, path: string, after: Properties): boolean {
  return isEqual(factsAt(former, before), factsAt(path, after));
}

/** What is said of a property and all that it holds. */
function factsAt(path: string, properties: Properties): Json {
  const own = Object.entries(properties).filter(
    ([one]) => one === path || one.startsWith(`${path}.`) || one.startsWith(`${path}[]`),
  );
  return Object.fromEntries(own.map(([one, facts]) => [one.slice(path.length), plain(facts)]));
}

/** When it came is nothing that it is. */
function plain({ addedLater: _, ...facts }: PropertyContract): Json {
  return facts as unknown as Json;
}
