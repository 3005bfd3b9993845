import { ACTIONS } from "./messages/actions.js";
import { BEHAVIOUR } from "./messages/behaviour.js";
import { CONDITIONS } from "./messages/conditions.js";
import { FILES } from "./messages/files.js";
import { INDEXES } from "./messages/indexes.js";
import { MIGRATIONS } from "./messages/migrations.js";
import { NAMES } from "./messages/names.js";
import { OWNERSHIP } from "./messages/ownership.js";
import { PROPERTIES } from "./messages/properties.js";
import { PUBLISHING } from "./messages/publishing.js";
import { RELATIONS } from "./messages/relations.js";
import { SAMPLES } from "./messages/samples.js";
import { VALUES } from "./messages/values.js";
import { BETWEEN_VERSIONS } from "./messages/versions.js";

/** The message of every diagnostic, by its code. A code stands for one mistake and never changes; each has a page in docs/diagnostics. */
export const MESSAGES = {
  ...NAMES,
  ...FILES,
  ...PROPERTIES,
  ...VALUES,
  ...RELATIONS,
  ...CONDITIONS,
  ...INDEXES,
  ...BEHAVIOUR,
  ...ACTIONS,
  ...MIGRATIONS,
  ...PUBLISHING,
  ...BETWEEN_VERSIONS,
  ...OWNERSHIP,
  ...SAMPLES,
} as const;

/** The code of a diagnostic: a rule of the contract, `SCH-n` or `OWN-n`. */
export type Code = keyof typeof MESSAGES;

/** What the message of code `C` needs to know; an empty object when it needs nothing. */
export type MessageArguments<C extends Code> =
  Parameters<(typeof MESSAGES)[C]> extends [infer Given] ? Given : Record<never, never>;
