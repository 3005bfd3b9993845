import type { EarlierShape } from "../model/earlier-shape.js";
import { changeOf, type ContractChange, type Found } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import { compareResources } from "./compare-resource.js";
import type { VersionModel } from "../model/service-model.js";
import { renamedResources, underNewPlurals } from "./renamed-resources.js";
import type { Contract, ResourceContract, VersionContract } from "./resource-contract.js";

/** What a version says of the one that it is compared with, by the plural of each resource. */
export type Earlier = ReadonlyMap<string, EarlierShape>;

/**
 * What the files of a version say of earlier shapes. Only against the version before it do they say what is shown
 * instead of values, and what is converted: clients of the version itself know all of that.
 */
export function earlierOf({ resources }: VersionModel, isOfPrevious: boolean): Earlier {
  return new Map(
    resources.map(({ name, earlier }) => [
      name.plural,
      isOfPrevious ? earlier : { ...earlier, converted: [], instead: {} },
    ]),
  );
}

/**
 * What an edit means for clients (VER-3): every difference between the contract of a version as it was promised and as
 * it is now, by resource. Equal contracts have none.
 */
export function compareContracts(
  before: Contract,
  after: Contract,
  earlier: Earlier = new Map(),
): ContractChange[] {
  const renamed = renamedResources(before.resources, after.resources, earlier);
  const were = underNewPlurals(before.resources, renamed);
  const plurals = [...new Set([...were.keys(), ...after.resources.keys()])].sort();
  const isOpened = before.version.authentication !== after.version.authentication;
  return [
    ...compareVersions(before.version, after.version),
    ...plurals.flatMap((plural) => {
      const [was, is] = [were.get(plural), after.resources.get(plural)];
      // Whether callers have a name is told once, of the version.
      const now = isOpened && was && is ? { ...is, access: was.access } : is;
      return [
        ...renaming(plural, renamed.get(plural), was),
        ...compareOne(plural, { before: was, after: now, earlier }),
      ];
    }),
  ];
}

function renaming(
  resource: string,
  former: string | undefined,
  before: ResourceContract | undefined,
): ContractChange[] {
  if (former === undefined || before === undefined) return [];
  const { operations } = before;
  const found = { before: former, at: ["renamedFrom"] };
  return [changeOf("resource-renamed", found, { resource, operations, isSent: true })];
}

function compareOne(
  resource: string,
  {
    before,
    after,
    earlier,
  }: {
    readonly before: ResourceContract | undefined;
    readonly after: ResourceContract | undefined;
    readonly earlier: Earlier;
  },
): ContractChange[] {
  if (before !== undefined && after !== undefined) {
    const original = earlier.get(after.represents ?? "");
    return compareResources(before, after, earlier.get(resource) ?? null, original);
  }
  const operations = (before ?? after)?.operations ?? [];
  const concerned = { resource, operations, isSent: true };
  return [changeOf(before === undefined ? "resource-added" : "resource-removed", {}, concerned)];
}

function compareVersions(before: VersionContract, after: VersionContract): ContractChange[] {
  const tell = (kind: ChangeKindId, found: Found): ContractChange =>
    changeOf(kind, found, { resource: null, operations: null, isSent: true });
  const paths = { before: before.basePath, after: after.basePath, at: ["basePath"] };
  const isClosed = after.authentication === "bearer";
  return [
    ...(before.basePath === after.basePath ? [] : [tell("base-path-changed", paths)]),
    ...(before.authentication === after.authentication
      ? []
      : [
          tell(isClosed ? "authentication-required" : "authentication-dropped", {
            at: ["authentication"],
          }),
        ]),
    ...compareOrigins(before.origins ?? [], after.origins ?? [], tell),
    ...compareLimits(before, after, tell),
  ];
}

/** Where any origin may call, each of them may. */
function compareOrigins(
  were: readonly string[],
  are: readonly string[],
  tell: (kind: ChangeKindId, found: Found) => ContractChange,
): ContractChange[] {
  const at = ["cors", "origins"];
  const missing = (origins: readonly string[], others: readonly string[]): readonly string[] =>
    others.includes("*") ? [] : origins.filter((origin) => !others.includes(origin));
  return [
    ...missing(were, are).map((one) => tell("origin-removed", { before: originWords(one), at })),
    ...missing(are, were).map((one) => tell("origin-added", { after: originWords(one), at })),
  ];
}

function originWords(origin: string): string {
  return origin === "*" ? "any origin" : origin;
}

function compareLimits(
  before: VersionContract,
  after: VersionContract,
  tell: (kind: ChangeKindId, found: Found) => ContractChange,
): ContractChange[] {
  const names = [...new Set([...Object.keys(before.limits), ...Object.keys(after.limits)])].sort();
  return names.flatMap((name) => {
    // A limit that is not set is the loosest.
    const was = before.limits[name] ?? Infinity;
    const is = after.limits[name] ?? Infinity;
    if (was === is) return [];
    const found = { path: name, before: limitWords(was), after: limitWords(is) };
    return [tell(kindOf(name, is < was), { ...found, at: ["limits", name] })];
  });
}

function kindOf(name: string, isTighter: boolean): ChangeKindId {
  if (name === "requestsPerMinute")
    return isTighter ? "rate-limit-tightened" : "rate-limit-loosened";
  if (name === "requestSeconds") return "time-out-changed";
  return isTighter ? "limit-lowered" : "limit-raised";
}

function limitWords(limit: number): string {
  return limit === Infinity ? "any number" : String(limit);
}
