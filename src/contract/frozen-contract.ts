import { CONTRACT_FOLDER, type ContractSource } from "../load/contract-source.js";
import { isList, isObject, type Json } from "../samples/json.js";
import type { Project } from "./project.js";
import {
  CONTRACT_FORMAT,
  FORMER_CONTRACT_FORMAT,
  type Contract,
  type ResourceContract,
  type VersionContract,
} from "./resource-contract.js";

/** What was promised of a version, as far as its files say. */
export interface FrozenContract {
  /** Null: the file of the version as a whole is missing. */
  readonly version: VersionContract | null;
  /** By plural. */
  readonly resources: ReadonlyMap<string, ResourceContract>;
  /** Files that hold something else. */
  readonly damaged: readonly string[];
}

/** The path of the contract of a version as a whole. */
export function versionContractPath(version: string): string {
  return `${CONTRACT_FOLDER}/${version}.json`;
}

/** The path of the contract of one resource. */
export function resourceContractPath(version: string, plural: string): string {
  return `${CONTRACT_FOLDER}/${version}/${plural}.json`;
}

/** The frozen contract of a version; null where it has none. */
export function frozenContract(
  name: string,
  contracts: readonly ContractSource[],
): FrozenContract | null {
  const own = contracts.filter(({ version }) => version === name);
  if (own.length === 0) return null;
  const resources = new Map<string, ResourceContract>();
  const damaged: string[] = [];
  let version: VersionContract | null = null;
  for (const { path, value } of own) {
    if (path === versionContractPath(name) && isVersionContract(value, name)) version = value;
    else if (isResourceContract(value) && path === resourceContractPath(name, value.resource)) {
      resources.set(value.resource, value);
    } else damaged.push(path);
  }
  return { version, resources, damaged };
}

/** The same as a whole; null where the version has none, or the file of the version as a whole is missing. */
export function promisedContract(
  name: string,
  contracts: readonly ContractSource[],
): Contract | null {
  const { version = null, resources = new Map() } = frozenContract(name, contracts) ?? {};
  return version === null ? null : { version, resources };
}

/** The files of the former format that the next run writes in the present one. */
export function formerContracts({ tree, model }: Project): readonly string[] {
  return model.versions.flatMap(({ name, status }) =>
    status !== "retired" && isFormer(promisedContract(name, tree.contracts))
      ? [versionContractPath(name)]
      : [],
  );
}

/** Whether a promise lacks what the present format records. */
export function isFormer(contract: Contract | null): boolean {
  return contract?.version.format === FORMER_CONTRACT_FORMAT;
}

function isVersionContract(value: unknown, name: string): value is VersionContract {
  if (!isObject(value)) return false;
  const { version, basePath, authentication, origins, limits } = value;
  return (
    hasNames(value) &&
    version === name &&
    typeof basePath === "string" &&
    typeof authentication === "string" &&
    (origins === undefined || isTexts(origins)) &&
    isObject(limits) &&
    Object.values(limits).every((limit) => typeof limit === "number")
  );
}

/** What the former format lacks is there in the present one. */
function hasNames({
  format,
  service,
  eventSource,
  authentication,
  tokens,
}: Readonly<Record<string, Json | undefined>>): boolean {
  if (format === FORMER_CONTRACT_FORMAT) return true;
  const isText = (text: Json | undefined): boolean => typeof text === "string";
  return (
    format === CONTRACT_FORMAT &&
    isText(service) &&
    (eventSource === undefined || isText(eventSource)) &&
    (authentication === "none" ||
      (isObject(tokens) && ["issuer", "audience", "roles"].every((key) => isText(tokens[key]))))
  );
}

function isResourceContract(value: unknown): value is ResourceContract {
  if (!isObject(value)) return false;
  const { resource, entity, identifier, operations, access, paging, properties } = value;
  return (
    [resource, entity, identifier].every((text) => typeof text === "string") &&
    isTexts(operations) &&
    isObject(access) &&
    ["read", "create", "update", "delete"].every((doing) => isTexts(access[doing])) &&
    isObject(paging) &&
    isObject(properties) &&
    Object.values(properties).every((one) => isObject(one) && typeof one["type"] === "string") &&
    hasParts(value)
  );
}

/** What may be left out has its form where it is there. */
function hasParts({
  where,
  aliases,
  states,
  parent,
  takesAlong,
  heldBy,
  listedUnder,
  actions,
  commonFilters,
  search,
  events,
  unique,
}: {
  readonly [name: string]: Json | undefined;
}) {
  return (
    (where === undefined || isList(where)) &&
    (parent === undefined || isObject(parent)) &&
    (takesAlong === undefined ||
      (isList(takesAlong) && takesAlong.every((one) => isObject(one) && isTexts(one["access"])))) &&
    (heldBy === undefined || isTexts(heldBy)) &&
    (commonFilters === undefined || isTexts(commonFilters)) &&
    (search === undefined || isTexts(search)) &&
    (events === undefined || isTexts(events)) &&
    (unique === undefined || (isList(unique) && unique.every(isTexts))) &&
    (listedUnder === undefined || (isList(listedUnder) && listedUnder.every(isObject))) &&
    (aliases === undefined ||
      (isObject(aliases) &&
        Object.values(aliases).every(
          (alias) => isObject(alias) && isList(alias["where"]) && isTexts(alias["sort"]),
        ))) &&
    (actions === undefined || (isObject(actions) && Object.values(actions).every(isAction))) &&
    (states === undefined ||
      (isObject(states) &&
        isTexts(states["updatableIn"]) &&
        isTexts(states["deletableIn"]) &&
        isObject(states["transitions"]) &&
        Object.values(states["transitions"]).every(isTexts)))
  );
}

/** OPS-11 */
function isAction(value: Json | undefined): boolean {
  if (!isObject(value)) return false;
  const { on, access, input, answers, answer, states } = value;
  return (
    typeof on === "string" &&
    typeof answers === "string" &&
    isTexts(access) &&
    isObject(input) &&
    isObject(answer) &&
    (states === undefined || isTexts(states))
  );
}

function isTexts(value: Json | undefined): boolean {
  return isList(value) && value.every((text) => typeof text === "string");
}
