import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { DONE } from "../../src/cli/print-outcome.js";
import { WATCHING } from "../../src/cli/watch.js";
import { edited } from "./bench-project.js";
import { foundIn, inTime } from "./in-time.js";

/** Answers each message with the CPU time of the process in microseconds, user and system. */
const REPORT_CPU =
  'process.on("message", () => { const { user, system } = process.cpuUsage(); process.send(user + system); });';
/** So long it is quiet after an outcome before the process is asked. */
const QUIET_MILLISECONDS = 400;

/**
 * CPU seconds of each of these edits of a schema, told to a `generate --watch` that has generated the project before.
 * The first are dearer: code that has not run yet is compiled. Looking for changes meanwhile is counted.
 */
export async function watchedEdits(
  generator: string,
  root: string,
  { schema, edits }: { readonly schema: string; readonly edits: number },
): Promise<readonly number[]> {
  const child = fork(generator, ["generate", "--watch", root], {
    execArgv: [`--import=data:text/javascript,${encodeURIComponent(REPORT_CPU)}`],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let printed = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const prints = async (text: string): Promise<void> => {
    await foundIn(
      child,
      () => printed,
      (all) => (all.includes(text) ? true : null),
    );
    printed = "";
    await wait(QUIET_MILLISECONDS);
  };
  const cpuSeconds = async (): Promise<number> => {
    child.send("cpu");
    const [microseconds] = await inTime(child, once(child, "message"));
    return Number(microseconds) / 1e6;
  };
  await prints(WATCHING);
  const seconds: number[] = [];
  for (let edit = 0; edit < edits; edit += 1) {
    const before = await cpuSeconds();
    writeFileSync(schema, edited(readFileSync(schema, "utf8"), 4500 + edit));
    await prints(`${DONE}:`);
    seconds.push((await cpuSeconds()) - before);
  }
  child.kill();
  await inTime(child, once(child, "exit"));
  return seconds;
}
