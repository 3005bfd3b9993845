import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A program of test/attacks/load in a process of its own: it does not share the event loop of what it measures with. */
export interface LoadProcess<Result> {
  readonly result: Promise<Result>;
  /** Tells it something; `stop` ends its work, and it answers with its result. */
  readonly tell: (word: string) => void;
  readonly stop: () => Promise<Result>;
}

/** Starts a program, which gets `spec` and answers once. Rejects when it ends without an answer. */
export function startLoad<Result>(program: string, spec: object): LoadProcess<Result> {
  const path = fileURLToPath(new URL(`../load/${program}.ts`, import.meta.url));
  const child = fork(path, [], { execArgv: ["--import", import.meta.resolve("tsx")] });
  const result = new Promise<Result>((resolve, reject) => {
    // The programs answer with what their callers say they do.
    child.once("message", (answer) => resolve(answer as Result));
    child.once("exit", (code) => reject(new Error(`${program} has ended with ${code}`)));
  });
  child.send(spec);
  const tell = (word: string): void => void (child.connected && child.send(word));
  return {
    result: result.finally(() => child.connected && child.disconnect()),
    tell,
    stop: () => {
      tell("stop");
      return result;
    },
  };
}
