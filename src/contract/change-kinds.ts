import { ACTION_KINDS } from "./action-kinds.js";
import { BEHAVIOUR_KINDS } from "./behaviour-kinds.js";
import type { ChangeKind } from "./change-kind.js";
import { INTERNAL_KINDS } from "./internal-kinds.js";
import { PROPERTY_KINDS } from "./property-kinds.js";
import { RESOURCE_KINDS } from "./resource-kinds.js";
import { SERVICE_KINDS } from "./service-kinds.js";
import { VALUE_KINDS } from "./value-kinds.js";

const KINDS = {
  ...SERVICE_KINDS,
  ...RESOURCE_KINDS,
  ...BEHAVIOUR_KINDS,
  ...ACTION_KINDS,
  ...PROPERTY_KINDS,
  ...VALUE_KINDS,
  ...INTERNAL_KINDS,
} as const;

/** What a kind of edit is called: `maximum-length-lowered`. */
export type ChangeKindId = keyof typeof KINDS;

/** Every kind of edit that `generator changes` tells apart (VER-3). */
export const CHANGE_KINDS: Readonly<Record<ChangeKindId, ChangeKind>> = KINDS;

/** The same by subject, for people. */
export const CHANGE_SUBJECTS: readonly (readonly [string, Readonly<Record<string, ChangeKind>>])[] =
  [
    ["Versions and resources", { ...SERVICE_KINDS, ...RESOURCE_KINDS }],
    ["Access, states and aliases", BEHAVIOUR_KINDS],
    ["Actions", ACTION_KINDS],
    ["Properties", PROPERTY_KINDS],
    ["Values", VALUE_KINDS],
    ["Changes that no client sees", INTERNAL_KINDS],
  ];
