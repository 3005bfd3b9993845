import { fuzz } from "./scripts/fuzz.js";
import type { Attack } from "./support/attack.js";

/** Every attack, quick ones first. */
export const ATTACKS: readonly Attack[] = [fuzz];
