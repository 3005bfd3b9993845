import { readFileSync } from "node:fs";

/** Tells the bench the port of this server, and its CPU time whenever it asks; ends with the bench. */
export function answerParent(port: number, stop: () => Promise<void> | void): void {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system + childrenMicroseconds());
  });
  process.on("disconnect", () => void Promise.resolve(stop()).then(() => process.exit()));
  process.send?.(port);
}

/** Linux counts in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;

/** What the processes have used that long statements are given to; nothing where the system does not tell. */
function childrenMicroseconds(): number {
  const children = textOf(`/proc/${process.pid}/task/${process.pid}/children`).match(/\d+/g) ?? [];
  const ticks = children.map((pid) => {
    // The name of the program, in brackets, may hold blanks.
    const numbers = textOf(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(numbers[11] ?? 0) + Number(numbers[12] ?? 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MICROSECONDS;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
