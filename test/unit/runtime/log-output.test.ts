import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const MODULE = import.meta.resolve("#runtime/http/log");

test("stdout has one listener, however many services with a runtime of their own a process has", async () => {
  const code = `
    const before = process.stdout.listenerCount("error");
    for (let copy = 0; copy < 12; copy += 1) {
      const { LogOutput } = await import("${MODULE}?copy=" + copy);
      for (const line of ["1\\n", "2\\n"]) new LogOutput(() => undefined).write(line);
    }
    console.log(process.stdout.listenerCount("error") - before);`;
  const parameters = ["--import", "tsx", "--input-type=module", "--eval", code];
  const { stdout, stderr } = await run(process.execPath, parameters);
  // MaxListenersExceededWarning
  expect(stderr).toBe("");
  expect(stdout).toBe(`${"1\n2\n".repeat(12)}1\n`);
});
