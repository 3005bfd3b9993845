import type { PathStep } from "../load/source-document.js";
import type { Operation } from "../model/resource-model.js";
import { upperFirst } from "../naming/resource-name.js";
import {
  CHANGE_KINDS,
  type Audience,
  type ChangeClass,
  type ChangeKind,
  type ChangeKindId,
} from "./change-kinds.js";

/** One difference between two contracts, as a value. */
export interface ContractChange {
  readonly kind: ChangeKindId;
  readonly class: ChangeClass;
  /** Whom it breaks. */
  readonly breaks: readonly Audience[];
  /** The plural; null: the version as a whole. */
  readonly resource: string | null;
  /** The property, or what else it is about: `deliveryAddress.state`. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The resource whose edit shows here: of a representation its original, of an embedded value what is referred to. */
  readonly follows: string | null;
  /** Where it stands in YAML: in service.yaml for the version as a whole, otherwise in the resource's file. */
  readonly at: readonly PathStep[];
}

/** What is known of a change where it is found. */
export interface Found {
  readonly path?: string;
  readonly before?: string;
  readonly after?: string;
  readonly at?: readonly PathStep[];
  readonly follows?: string;
}

/** A difference between two holders of facts; its place is relative to the holder. */
export interface Difference extends Found {
  readonly kind: ChangeKindId;
}

/** The holder of a difference, and whom the difference can concern. */
export interface Concerned {
  readonly resource: string | null;
  /** Null: whatever is offered. */
  readonly operations: readonly Operation[] | null;
  /** The value is sent by clients; absent: it is. */
  readonly isSent?: boolean;
  /** The path of a difference without one of its own; absent: the resource. */
  readonly path?: string;
  /** The place of the holder in YAML; absent: the whole file. */
  readonly at?: readonly PathStep[];
}

const WITH_BODY: readonly Operation[] = ["create", "replace", "update"];

/** Makes a difference a change, with whom it breaks. */
export function changeOf({ kind, ...found }: Difference, concerned: Concerned): ContractChange {
  const row = CHANGE_KINDS[kind];
  const audiences: readonly Audience[] = ["readers", "writers"];
  const breaks = audiences.filter((audience) => isBroken(audience, row, concerned));
  const { resource, at: place = [] } = concerned;
  const { path = concerned.path ?? resource ?? "", before = null, after = null } = found;
  const { at = [], follows = null } = found;
  const own = { kind, class: classOf(row, breaks), breaks, resource, path };
  return { ...own, before, after, follows, at: [...place, ...at] };
}

/** The same in a body that nobody is shown: only who sends it can be broken. */
export function sentOnly(change: ContractChange): ContractChange {
  const row: ChangeKind = CHANGE_KINDS[change.kind];
  const isRefused = change.kind === "embed-removed" || change.breaks.includes("writers");
  const breaks: readonly Audience[] = isRefused ? ["writers"] : [];
  return { ...change, breaks, class: classOf(row, breaks) };
}

function classOf(
  { isInternal, isOperational }: ChangeKind,
  breaks: readonly Audience[],
): ChangeClass {
  if (isInternal === true) return "internal";
  if (isOperational === true) return "operational";
  return breaks.length > 0 ? "breaking" : "compatible";
}

function isBroken(audience: Audience, row: ChangeKind, concerned: Concerned): boolean {
  const { operations, isSent = true } = concerned;
  if (row[audience] === undefined) return false;
  if (audience === "writers" && !isSent) return false;
  if (operations === null) return true;
  const needs = row.needs ?? (audience === "writers" ? WITH_BODY : operations);
  return needs.some((operation) => operations.includes(operation));
}

/** What has changed, in a sentence; what stands between back-quotes is of the schema. */
export function sentenceOf(change: ContractChange): string {
  return filled(CHANGE_KINDS[change.kind].says, change);
}

/** What a client that it breaks has to do when it moves to a version that has it; empty: it breaks none. */
export function movingOf(change: ContractChange): string {
  if (change.class !== "breaking") return "";
  return filled(CHANGE_KINDS[change.kind].moving ?? "", change);
}

function filled(text: string, { path, before, after }: ContractChange): string {
  // Of a path, `renamedFrom` takes the last name.
  const old = before?.slice(before.lastIndexOf(".") + 1) ?? null;
  const given: Readonly<Record<string, string | null>> = { before, after, old };
  // A back-quote in a value would end the mark.
  return text.replace(/\{(\w+)\}/g, (gap, name) =>
    name === "path" ? `\`${path}\`` : (given[name]?.replaceAll("`", "'") ?? gap),
  );
}

/** Whom a change breaks and why: `readers: They look for it in answers.` */
export function reasonsOf(change: ContractChange): readonly string[] {
  const { kind, breaks } = change;
  const row = CHANGE_KINDS[kind];
  const why = (audience: Audience): string => filled(row[audience] ?? "", change);
  const [first, second] = breaks;
  if (first !== undefined && second !== undefined && row[first] === row[second]) {
    return [`${upperFirst(AUDIENCES[first])} and ${AUDIENCES[second]}: ${why(first)}`];
  }
  return breaks.map((audience) => `${upperFirst(AUDIENCES[audience])}: ${why(audience)}`);
}

/** Whom a change breaks, in words. */
export const AUDIENCES: Readonly<Record<Audience, string>> = {
  readers: "readers",
  writers: "writers",
};

/** What to do about a change. */
export function adviceOf(change: ContractChange): string {
  const { kind, class: found } = change;
  const { advice, isInternal } = CHANGE_KINDS[kind];
  const isHarmless = found === "compatible" && isBreakingKind(CHANGE_KINDS[kind]);
  return isHarmless && isInternal !== true
    ? "Nothing: no client of this resource notices."
    : filled(advice, change);
}

function isBreakingKind({ readers, writers }: ChangeKind): boolean {
  return readers !== undefined || writers !== undefined;
}
