import type { EarlierShape } from "../model/earlier-shape.js";
import type { VersionModel } from "../model/service-model.js";
import { changeOf, type Concerned, type ContractChange, type Difference } from "./change.js";
import { compareResources } from "./compare-resource.js";
import {
  amount,
  byName,
  compareFacts,
  inner,
  known,
  members,
  named,
  placed,
  value,
  type Compared,
  type Facts,
} from "./facts.js";
import { renamedResources, underNewPlurals } from "./renamed-resources.js";
import {
  FORMER_CONTRACT_FORMAT,
  type Contract,
  type TokensContract,
  type VersionContract,
} from "./resource-contract.js";

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

const TOKEN = named(value("tokens-changed"));
const TOKENS = inner<TokensContract>({
  ...{ issuer: TOKEN, audience: TOKEN, roles: TOKEN },
  // Where tenants come or go, each resource tells it.
  tenant: known(TOKEN),
});

const VERSION_FACTS: Facts<VersionContract> = {
  // Where nothing is announced, no URL, body or token has the name in it.
  service: known((compared) => {
    const { before, after } = compared;
    const isAnnounced = before.eventSource !== undefined && after.eventSource !== undefined;
    return value(isAnnounced ? "event-types-changed" : "service-renamed")(compared);
  }),
  eventSource: placed(["events", "source"], known(value("event-source-changed"))),
  basePath: value("base-path-changed"),
  authentication: ({ was, is }) => {
    const kind = is === "bearer" ? "authentication-required" : "authentication-dropped";
    return was === is ? [] : [{ kind }];
  },
  tokens: (compared) => TOKENS({ ...compared, key: "authentication" }),
  // Where any origin may call, each of them may.
  origins: placed(
    ["cors", "origins"],
    members(
      { gone: "origin-removed", come: "origin-added" },
      {
        covers: (origin, others) => others.includes("*") || others.includes(origin),
        says: (origin) => (origin === "*" ? "any origin" : origin),
      },
    ),
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
  requestsPerMinute: amount("rate-limit-loosened", "rate-limit-tightened", UNLIMITED),
  requestSeconds: amount("time-out-changed", "time-out-changed", UNLIMITED),
};

const LIMIT = amount("limit-raised", "limit-lowered", UNLIMITED);

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
  const versions = compareFacts(VERSION_FACTS, before.version, after.version);
  const isOpened = before.version.authentication !== after.version.authentication;
  const isFormer = before.version.format === FORMER_CONTRACT_FORMAT;
  const changes = [
    ...versions.map((one) => changeOf(one, { resource: null, operations: null })),
    ...plurals.flatMap((resource) => {
      const [was, is] = [were.get(resource), after.resources.get(resource)];
      const concerned = { resource, operations: (was ?? is)?.operations ?? [] };
      if (was === undefined) return [changeOf({ kind: "resource-added" }, concerned)];
      if (is === undefined) return [changeOf({ kind: "resource-removed" }, concerned)];
      const heldBy = isFormer ? is.heldBy : was.heldBy?.map((one) => nowCalled(one, earlier));
      const promised = { ...was, heldBy: heldBy ?? [] };
      // Whether callers have a name is told once, of the version.
      const now = isOpened ? { ...is, access: was.access } : is;
      const original = earlier.get(is.represents ?? "");
      return [
        ...renaming(renamed.get(resource), concerned),
        ...compareResources(promised, now, earlier.get(resource) ?? null, original),
      ];
    }),
  ];
  return changes.filter((one) => !isReportedAtReference(one, changes));
}

/** A reference that can refuse a deletion, under the name that it has now: `bookings.guest`. */
function nowCalled(reference: string, earlier: Earlier): string {
  const plural = reference.slice(0, reference.indexOf("."));
  const path = reference.slice(plural.length + 1);
  const renamed = Object.entries(earlier.get(plural)?.renamed ?? {}).map(([now, former]) => {
    const place = now.replaceAll("[]", "");
    return [place, place.slice(0, place.lastIndexOf(".") + 1) + former] as const;
  });
  const [now = path] = renamed.find(([, former]) => former === path) ?? [];
  return `${plural}.${now}`;
}

/** Whether an edit of `onDelete` is the reason for which a deletion can be refused, or no longer. */
function isReportedAtReference(
  { kind, path }: ContractChange,
  changes: readonly ContractChange[],
): boolean {
  if (kind !== "deletion-held" && kind !== "deletion-freed") return false;
  return changes.some(
    (one) =>
      (one.kind === "on-delete-refused" || one.kind === "on-delete-allowed") &&
      `${one.resource}.${one.path}` === path,
  );
}

function renaming(former: string | undefined, concerned: Concerned): ContractChange[] {
  if (former === undefined) return [];
  const found = { before: former, at: ["renamedFrom"] };
  return [changeOf({ kind: "resource-renamed", ...found }, concerned)];
}
