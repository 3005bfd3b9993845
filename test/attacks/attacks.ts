import { acceptHeader } from "./scripts/accept-header.js";
import { fuzz } from "./scripts/fuzz.js";
import { slowClients } from "./scripts/slow-clients.js";
import { tokens } from "./scripts/tokens.js";
import type { Attack } from "./support/attack.js";

/** Every attack, quick ones first. */
export const ATTACKS: readonly Attack[] = [tokens, acceptHeader, fuzz, slowClients];
