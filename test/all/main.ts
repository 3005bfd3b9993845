// `npm run test:all`: `npm test`, and what it leaves out. Ends with the total of both alone on its line.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";

let [passed, failed] = [0, 0];
for (const script of ["test", "test:rest"]) {
  process.stdout.write(`== npm run ${script}\n`);
  const total = await run(script);
  passed += total.passed;
  failed += total.failed;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** The total that a script prints; one that ends early, or with an exit code for no test, is a failure. */
async function run(script: string): Promise<{ passed: number; failed: number }> {
  const child = spawn("npm", ["run", script], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    process.stdout.write(chunk);
    text = (text + chunk.toString()).slice(-10_000);
  });
  await once(child, "close");
  const lines = [...stripVTControlCharacters(text).matchAll(/^(\d+) passed, (\d+) failed$/gm)];
  const [, passed = "0", failed = "0"] = lines.at(-1) ?? [];
  const isBroken = child.exitCode !== 0 && Number(failed) === 0;
  return { passed: Number(passed), failed: Number(failed) + (isBroken ? 1 : 0) };
}
