import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serviceFolder, SERVICES } from "./service-folders.js";
import { transpileWithTests } from "./transpile.js";

/** How the tests of a service are run. */
interface Running {
  readonly settings?: NodeJS.ProcessEnv;
  /** As `npm test` of a service does it, which takes the types away in each process anew. */
  readonly asShipped?: boolean;
  /** How the names of the files end. */
  readonly ending?: string;
  /** Of `test`. */
  readonly folders?: readonly string[];
}

/** Runs the tests that were generated for a service, or those of more folders: how many passed, and what the other ones said. */
export async function ownTests(
  name: string,
  { settings = {}, asShipped = false, folders = ["generated"], ending = "" }: Running = {},
): Promise<{ readonly passed: number; readonly said: string }> {
  const whole = serviceFolder(name);
  const cwd = asShipped ? whole : join(SERVICES, "transpiled", name);
  if (!asShipped) await transpileWithTests(whole, cwd);
  const paths = folders
    .flatMap((folder) =>
      readdirSync(join(cwd, "test", folder)).map((file) => join("test", folder, file)),
    )
    .filter((path) => /\.test\.[jt]s$/.test(path) && path.replace(/\.[jt]s$/, "").endsWith(ending));
  const env = { ...process.env, ...settings };
  const parameters = [
    "--test-reporter=tap",
    ...(asShipped ? eachApart(paths) : together(cwd, paths)),
  ];
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, parameters, { cwd, env, maxBuffer: 2 ** 26 }, (_error, out, err) =>
      done(out + err),
    );
  });
  const [, passed = "0"] = /^# pass (\d+)$/m.exec(output) ?? [];
  const isClean = /^# fail 0$/m.test(output) && /^# cancelled 0$/m.test(output);
  return { passed: Number(passed), said: isClean ? "" : failures(output) };
}

/** As `npm test` runs them: each file in a process of its own. */
function eachApart(paths: readonly string[]): readonly string[] {
  return ["--import", "tsx", "--test", ...paths];
}

/** In one process, which loads the service once. */
function together(cwd: string, paths: readonly string[]): readonly string[] {
  const all = join(cwd, "test/all.js");
  writeFileSync(all, paths.map((path) => `import "../${path}";\n`).join(""));
  return [all];
}

/** Of what was printed, each test that failed with what was expected there, and the summary below all of them. */
function failures(output: string): string {
  const parts = output.split(/^(?=\s*# Subtest: )/m).filter((part) => /^\s*not ok /m.test(part));
  const [summary = ""] = /^(?:# )?What failed:$[^]*/m.exec(output) ?? [];
  return parts.length > 0 ? parts.join("") + summary : output;
}
