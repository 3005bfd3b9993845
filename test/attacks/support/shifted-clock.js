// Loaded into a service before its own code (`node --import`): SIGWINCH takes its clock eleven minutes further.
const MILLISECONDS = 11 * 60_000;
const { now } = Date;
let shift = 0;
Date.now = () => now() + shift;
process.on("SIGWINCH", () => (shift += MILLISECONDS));
