import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { serviceFolder } from "./service-folders.js";

/** Runs the tests that were generated for a service, or some: how many passed, and what the other ones said. */
export async function ownTests(
  name: string,
  settings: NodeJS.ProcessEnv = {},
  ending = ".test.ts",
): Promise<{ readonly passed: number; readonly said: string }> {
  const cwd = serviceFolder(name);
  const files = readdirSync(join(cwd, "test/generated")).filter((file) =>
    file.endsWith(ending),
  );
  const paths = files.map((file) => join("test/generated", file));
  const env = { ...process.env, ...settings };
  const parameters = ["--import", "tsx", "--test", "--test-reporter=tap", ...paths];
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, parameters, { cwd, env, maxBuffer: 2 ** 26 }, (_error, out, err) =>
      done(out + err),
    );
  });
  const [, passed = "0"] = /^# pass (\d+)$/m.exec(output) ?? [];
  const isClean = /^# fail 0$/m.test(output) && /^# cancelled 0$/m.test(output);
  return { passed: Number(passed), said: isClean ? "" : failures(output) };
}

/** Of what was printed, each test that failed with what was expected there. */
function failures(output: string): string {
  const parts = output.split(/^(?=\s*# Subtest: )/m).filter((part) => /^\s*not ok /m.test(part));
  return parts.length > 0 ? parts.join("") : output;
}
