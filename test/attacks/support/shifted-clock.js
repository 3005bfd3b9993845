// Loaded into a service before its own code (`node --import`): SIGWINCH takes its clocks eleven minutes further.
const MILLISECONDS = 11 * 60_000;
let shift = 0;
for (const clock of [Date, performance]) {
  const now = clock.now.bind(clock);
  clock.now = () => now() + shift;
}
process.on("SIGWINCH", () => (shift += MILLISECONDS));
