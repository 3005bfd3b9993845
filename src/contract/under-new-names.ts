import type { EarlierShape } from "../model/earlier-shape.js";
import type {
  AliasContract,
  ConditionContract,
  PathConditionContract,
  ResourceContract,
} from "./resource-contract.js";
import { isAlternatives } from "./words.js";

/** A property that is what another was. */
export interface Renaming {
  readonly path: string;
  /** Its path before, under the names that all else has now. */
  readonly former: string;
}

/** What a resource was, under the names that its properties have now, and which those are. */
export function underNewNames(
  before: ResourceContract,
  after: ResourceContract,
  { renamed }: Pick<EarlierShape, "renamed">,
): { readonly before: ResourceContract; readonly renamings: readonly Renaming[] } {
  const renamings: Renaming[] = [];
  let named = before;
  // An object has its new name before what it holds is looked at.
  const outerFirst = Object.entries(renamed).sort(([a], [b]) => a.length - b.length);
  for (const [path, name] of outerFirst) {
    const former = path.slice(0, path.lastIndexOf(".") + 1) + name;
    const isRenamed =
      former in named.properties && !(former in after.properties) && path in after.properties;
    if (!isRenamed || path in named.properties) continue;
    renamings.push({ path, former });
    named = withName(named, former, path);
  }
  return { before: named, renamings };
}

function withName(contract: ResourceContract, from: string, to: string): ResourceContract {
  const name = (path: string): string =>
    isAtOrIn(path, from) ? to + path.slice(from.length) : path;
  const { states, aliases, search, where, unique, listedUnder } = contract;
  return {
    ...contract,
    properties: Object.fromEntries(
      Object.entries(contract.properties).map(([path, property]) => [name(path), property]),
    ),
    ...(states && { states: { ...states, property: name(states.property) } }),
    ...(listedUnder && {
      listedUnder: listedUnder.map((one) => ({ ...one, property: name(one.property) })),
    }),
    ...(search && { search: search.map(name) }),
    ...(unique && { unique: unique.map((list) => list.map(name)) }),
    ...(where && { where: where.map((one) => conditionWith(one, name)) }),
    ...(aliases && {
      aliases: Object.fromEntries(
        Object.entries(aliases).map(([alias, own]) => [alias, aliasWith(own, name)]),
      ),
    }),
  };
}

function isAtOrIn(path: string, holder: string): boolean {
  return path === holder || path.startsWith(`${holder}.`) || path.startsWith(`${holder}[]`);
}

type Name = (path: string) => string;

function aliasWith({ where, sort }: AliasContract, name: Name): AliasContract {
  return {
    where: where.map((one) => conditionWith(one, name)),
    sort: sort.map((key) => (key.startsWith("-") ? `-${name(key.slice(1))}` : name(key))),
  };
}

function conditionWith(condition: ConditionContract, name: Name): ConditionContract {
  return isAlternatives(condition)
    ? { any: condition.any.map((all) => all.map((one) => pathWith(one, name))) }
    : pathWith(condition, name);
}

function pathWith(condition: PathConditionContract, name: Name): PathConditionContract {
  const { property } = condition;
  return typeof property === "string" ? { ...condition, property: name(property) } : condition;
}
