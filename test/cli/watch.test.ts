import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { DONE } from "../../src/cli/print-outcome.js";
import { WATCHING } from "../../src/cli/watch.js";
import { addProperty, copyOf, generator, minimalProject } from "./command-line.js";

let made = "";
beforeAll(async () => {
  made = await minimalProject();
});

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** `generate --watch`, and a way to wait until it has printed a text that it has not printed before. */
function watch(project: string): {
  readonly prints: (text: string) => Promise<string>;
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
} {
  const child = spawn(process.execPath, [resolve("bin/generator.js"), "generate", "--watch"], {
    cwd: project,
  });
  stops.push(() => child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  }
  const prints = async (text: string): Promise<string> => {
    await expect.poll(() => printed, { timeout: 20_000, interval: 20 }).toContain(text);
    const all = printed;
    printed = "";
    return all;
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ended = once(child, "exit");
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  };
  return { prints, end };
}

test("--watch generates after each change, tells mistakes and goes on when they are mended", async () => {
  const project = copyOf(made);
  const notes = join(project, "resources/v1/notes.yaml");
  const { prints, end } = watch(project);
  expect(await prints(WATCHING)).toContain("Nothing to do");

  addProperty(project, "colour");
  expect(await prints(`${DONE}:`)).toContain("resources/v1/notes.yaml has changed.");
  const store = join(project, "src/generated/entities/notes/notes.entity.ts");
  expect(readFileSync(store, "utf8")).toContain("colour");

  const coloured = readFileSync(notes, "utf8");
  writeFileSync(notes, coloured.replace("properties:", "propertys:"));
  const told = await prints("Nothing was written.");
  expect(told).toContain("SCH-");
  // The migration that it made itself is no change.
  expect(told).not.toContain("migrations/");
  expect(readFileSync(store, "utf8")).toContain("colour");

  // Editors that save by renaming leave another file under the same name.
  writeFileSync(`${notes}.tmp`, coloured.replace("  colour:", "  shape: string\n  colour:"));
  renameSync(`${notes}.tmp`, notes);
  await prints(`${DONE}:`);
  expect(readFileSync(store, "utf8")).toContain("shape");
  expect(await end("SIGINT")).toBe(130);
});

test("--watch does not go with --json or --dry-run, nor with a schema that is a symbolic link", async () => {
  for (const flag of ["--json", "--dry-run"]) {
    const refused = await generator(["generate", made, "--watch", flag]);
    expect(refused).toMatchObject({ exitCode: 2, out: "" });
    expect(refused.err).toContain(
      "--watch cannot be combined with --json, --dry-run or --require-clean.",
    );
  }
  const project = copyOf(made);
  const notes = join(project, "resources/v1/notes.yaml");
  renameSync(notes, join(project, "notes.txt"));
  symlinkSync(join(project, "notes.txt"), notes);
  const refused = await generator(["generate", project, "--watch"]);
  expect(refused.exitCode).toBe(2);
  expect(refused.err).toContain("is a symbolic link");
});
