import { acceptHeader } from "./scripts/accept-header.js";
import { cascade } from "./scripts/cascade.js";
import { databaseFile } from "./scripts/database-file.js";
import { fuzz } from "./scripts/fuzz.js";
import { heavyLists } from "./scripts/heavy-lists.js";
import { kill } from "./scripts/kill.js";
import { locked } from "./scripts/locked.js";
import { logFaults } from "./scripts/log-faults.js";
import { lostUpdate } from "./scripts/lost-update.js";
import { races } from "./scripts/races.js";
import { slowClients } from "./scripts/slow-clients.js";
import { stop } from "./scripts/stop.js";
import { tokens } from "./scripts/tokens.js";
import type { Attack } from "./support/attack.js";

/** Every attack, quick ones first. */
export const ATTACKS: readonly Attack[] = [
  ...[tokens, acceptHeader, races, lostUpdate, logFaults, databaseFile, fuzz, slowClients],
  ...[locked, heavyLists, cascade, stop, kill],
];
