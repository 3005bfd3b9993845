import { acceptHeader } from "./scripts/accept-header.js";
import { fuzz } from "./scripts/fuzz.js";
import { kill } from "./scripts/kill.js";
import { lostUpdate } from "./scripts/lost-update.js";
import { races } from "./scripts/races.js";
import { slowClients } from "./scripts/slow-clients.js";
import { stop } from "./scripts/stop.js";
import { tokens } from "./scripts/tokens.js";
import type { Attack } from "./support/attack.js";

/** Every attack, quick ones first. */
export const ATTACKS: readonly Attack[] = [
  ...[tokens, acceptHeader, races, lostUpdate, fuzz, slowClients],
  ...[stop, kill],
];
