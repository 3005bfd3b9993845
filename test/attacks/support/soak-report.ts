import type { Minute } from "../load/mixed-load.js";
import type { Life, SoakResult } from "./soak.js";
import { atMost, type Finding } from "./attack.js";

/** A life in which nothing is kept: what the garbage collector leaves for later. */
const GROWTH_MEBIBYTES = 32;

/** What must hold of a soak. */
export function soakFindings({ database, load, lives }: SoakResult): readonly Finding[] {
  const growth = Math.max(0, ...lives.map((life) => life.growthMebibytes).filter(Number.isFinite));
  return [
    atMost(`${database}: unexpected answers and broken connections`, load.unexpected.length, 0),
    atMost(`${database}: memory grows in a life of the process`, growth, GROWTH_MEBIBYTES, " MiB"),
  ];
}

/** The page of bench/soak: by minute, and by life of the process. */
export function soakPage(result: SoakResult, node: string): string {
  const { database, load, lives, memory } = result;
  const total = load.minutes.reduce((sum, minute) => sum + answersOf(minute), 0);
  const service = database === "sqlite" ? "the service" : "the service and PostgreSQL";
  return `# A soak on ${database === "sqlite" ? "SQLite" : "PostgreSQL"}

\`npm run soak\`: ${load.minutes.length} minutes, Node ${node}, ${total} requests of all operations, by clerks and customers, one in eight of them hostile, with
restarts of ${service}. Unexpected statuses and broken connections: ${load.unexpected.length}. The first and the last minute are not whole.

| minute | requests | statuses | broken in restarts | p50 | p99 | memory |
|---|---|---|---|---|---|---|
${load.minutes.map((minute, index) => minuteRow(index, minute, memory[index])).join("\n")}

Each life of the process, how it ended, and how much its memory grew after a warm-up of 40 % of its time (a straight line by least squares):

| until minute | ended by | most memory | growth |
|---|---|---|---|
${lives.map(lifeRow).join("\n")}
`;
}

function minuteRow(index: number, minute: Minute, mebibytes: number | undefined): string {
  const statuses = Object.entries(minute.statuses).map(([status, count]) => `${status}: ${count}`);
  const memory = mebibytes === undefined ? "" : `${mebibytes.toFixed(0)} MiB`;
  const times = [minute.p50, minute.p99].map((time) => `${time.toFixed(1)} ms`);
  const cells = [
    index + 1,
    answersOf(minute),
    statuses.join(", "),
    minute.broken,
    ...times,
    memory,
  ];
  return `| ${cells.join(" | ")} |`;
}

function lifeRow({ until, end, peakMebibytes, growthMebibytes }: Life): string {
  const [peak, growth] = [peakMebibytes, growthMebibytes].map((mebibytes) =>
    Number.isFinite(mebibytes) ? `${mebibytes.toFixed(1)} MiB` : "",
  );
  return `| ${until.toFixed(1)} | ${end} | ${peak} | ${growth} |`;
}

function answersOf({ statuses }: Minute): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}
