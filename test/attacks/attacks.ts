import { acceptHeader } from "./scripts/accept-header.js";
import { bodies } from "./scripts/bodies.js";
import { cascade } from "./scripts/cascade.js";
import { databaseFile } from "./scripts/database-file.js";
import { docs } from "./scripts/docs.js";
import { fuzz } from "./scripts/fuzz.js";
import { heavyLists } from "./scripts/heavy-lists.js";
import { issuer } from "./scripts/issuer.js";
import { kill } from "./scripts/kill.js";
import { largeErrors } from "./scripts/large-errors.js";
import { locked } from "./scripts/locked.js";
import { logFaults } from "./scripts/log-faults.js";
import { lostUpdate } from "./scripts/lost-update.js";
import { overload } from "./scripts/overload.js";
import { pages } from "./scripts/pages.js";
import { pipelining } from "./scripts/pipelining.js";
import { races } from "./scripts/races.js";
import { receivers } from "./scripts/receivers.js";
import { servers } from "./scripts/servers.js";
import { slowClients } from "./scripts/slow-clients.js";
import { stop } from "./scripts/stop.js";
import { tokens } from "./scripts/tokens.js";
import type { Attack } from "./support/attack.js";

/** Every attack, quick ones first. */
export const ATTACKS: readonly Attack[] = [
  ...[tokens, acceptHeader, races, lostUpdate, servers, issuer, logFaults, largeErrors],
  ...[databaseFile, fuzz, slowClients, pipelining, docs, bodies, pages, receivers, overload],
  ...[locked, heavyLists, cascade, stop, kill],
];
