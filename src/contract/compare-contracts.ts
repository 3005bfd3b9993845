import type { EarlierShape } from "../model/earlier-shape.js";
import type { VersionModel } from "../model/service-model.js";
import { changeOf, type ContractChange, type Difference } from "./change.js";
import { compareResources } from "./compare-resource.js";
import {
  amount,
  byName,
  compareFacts,
  members,
  placed,
  value,
  type Compared,
  type Facts,
} from "./facts.js";
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

type Limits = VersionContract["limits"];

const VERSION_FACTS: Facts<VersionContract> = {
  basePath: value({ changed: "base-path-changed" }),
  authentication: ({ was, is }) => {
    const kind = is === "bearer" ? "authentication-required" : "authentication-dropped";
    return was === is ? [] : [{ kind }];
  },
  // Where any origin may call, each of them may.
  origins: placed(
    ["cors", "origins"],
    members({
      gone: "origin-removed",
      come: "origin-added",
      covers: (origin, others) => others.includes("*") || others.includes(origin),
      says: (origin) => (origin === "*" ? "any origin" : origin),
    }),
  ),
  limits: compareLimits,
};

/** A limit that is not set is the loosest. */
const UNLIMITED = {
  unset: Infinity,
  says: (limit: number) => (limit === Infinity ? "any number" : String(limit)),
};

/** Limits that are not just lowered or raised. */
const LIMIT_FACTS: Facts<Limits> = {
  requestsPerMinute: amount({
    ...UNLIMITED,
    up: "rate-limit-loosened",
    down: "rate-limit-tightened",
  }),
  requestSeconds: amount({ ...UNLIMITED, up: "time-out-changed", down: "time-out-changed" }),
};

const LIMIT = amount({ ...UNLIMITED, up: "limit-raised", down: "limit-lowered" });

function compareLimits({
  key,
  was: were = {},
  is: are = {},
}: Compared<Limits, VersionContract>): Difference[] {
  return byName(were, are, (path, was, is) => {
    const compare = LIMIT_FACTS[path] ?? LIMIT;
    const found = compare({ key: path, was, is, before: were, after: are });
    return found.map((one) => ({ ...one, path, at: [key, path] }));
  });
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
    ...compareFacts(VERSION_FACTS, before.version, after.version).map((one) =>
      changeOf(one, { resource: null, operations: null }),
    ),
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
  return [changeOf({ kind: "resource-renamed", ...found }, { resource, operations })];
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
  const kind = before === undefined ? "resource-added" : "resource-removed";
  return [changeOf({ kind }, { resource, operations })];
}
