import type { EarlierShape } from "../model/earlier-shape.js";
import type { PropertyContract, ResourceContract } from "./resource-contract.js";

type Resources = ReadonlyMap<string, ResourceContract>;

/** The resources that have another name now, with the one that they had. */
export function renamedResources(
  before: Resources,
  after: Resources,
  earlier: ReadonlyMap<string, EarlierShape>,
): ReadonlyMap<string, string> {
  const pairs = [...after.keys()].flatMap((plural) => {
    const former = earlier.get(plural)?.formerPlural ?? null;
    const isRenamed =
      former !== null && before.has(former) && !after.has(former) && !before.has(plural);
    return isRenamed ? [[plural, former] as const] : [];
  });
  return new Map(pairs);
}

/** What was promised, with each resource under the name that it has now. */
export function underNewPlurals(
  before: Resources,
  renamed: ReadonlyMap<string, string>,
): Resources {
  if (renamed.size === 0) return before;
  const names = new Map([...renamed].map(([now, former]) => [former, now]));
  const named = (plural: string): string => names.get(plural) ?? plural;
  return new Map(
    [...before].map(([plural, contract]) => [named(plural), contractNamed(contract, named)]),
  );
}

function contractNamed(
  contract: ResourceContract,
  named: (plural: string) => string,
): ResourceContract {
  const { resource, represents, parent, listedUnder, heldBy, properties } = contract;
  return {
    ...contract,
    resource: named(resource),
    ...(represents !== undefined && { represents: named(represents) }),
    ...(parent !== undefined && { parent: { ...parent, resource: named(parent.resource) } }),
    ...(listedUnder !== undefined && {
      listedUnder: listedUnder.map((one) => ({ ...one, resource: named(one.resource) })),
    }),
    ...(heldBy !== undefined && {
      heldBy: heldBy.map((one) => one.replace(/^\w+/, (plural) => named(plural))),
    }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([path, one]) => [path, propertyNamed(one, named)]),
    ),
  };
}

function propertyNamed(
  property: PropertyContract,
  named: (plural: string) => string,
): PropertyContract {
  const { refersTo } = property;
  return refersTo === undefined ? property : { ...property, refersTo: named(refersTo) };
}
