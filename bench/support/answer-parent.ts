/** Tells the bench the port of this server, and its CPU time whenever it asks; ends with the bench. */
export function answerParent(port: number, stop: () => Promise<void> | void): void {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.on("disconnect", () => void Promise.resolve(stop()).then(() => process.exit()));
  process.send?.(port);
}
