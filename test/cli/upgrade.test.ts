import { createHash } from "node:crypto";
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { copyOf, generator, minimalProject, treeOf } from "./command-line.js";

const GENERATED = "src/generated/settings.ts";
const ARCHIVES = {
  "@rulebound/generator": "vendor/rulebound-generator-0.1.0.tgz",
  "@rulebound/runtime": "vendor/rulebound-runtime-0.1.0.tgz",
};
const OLD_ARCHIVE = "vendor/rulebound-generator-0.0.9.tgz";
const OLD_RUNTIME = "vendor/rulebound-runtime-0.0.9.tgz";
/** As code could import before generated code had a door of its own. */
const OWN_CODE = `import { Decimal } from "@rulebound/runtime/internal/base/decimal.js";
import {
  type ApiError,
  forbidden as refuse,
} from '@rulebound/runtime/internal/base/errors.js';
export * from '@rulebound/runtime/internal/base/errors.js';
export type Other = import("@rulebound/runtime/internal/entity/repository.js").EntityRepository;
import type { Samples } from "@rulebound/runtime/internal/testing/test-app.js";
import type { ServiceContext } from "../generated/context.js";
import type { TicketInput } from "../generated/entities/tickets/tickets.input.js";
import { form } from "./forms/tickets.input.js";
export { stores } from "./generated/stores.js";
`;
/** Text that is not UTF-8, which must not be written as if it were. */
const LATIN = Buffer.from('import "../generated/context.js"; // \xe9', "latin1");
const named = (path: string): string => path.replace("vendor/", "");
const IMPORTS = [
  "1  Decimal: Decimal of @rulebound/runtime",
  "5  ApiError: ApiError of @rulebound/runtime",
  "5  forbidden: forbidden of @rulebound/runtime",
  "6  nothing: only generated code uses it",
  "7  nothing: only generated code uses it",
  "8  Samples: Samples of @rulebound/runtime/testing",
];

let made = "";
let older = "";
beforeAll(async () => {
  made = await minimalProject();
  older = copyOf(made);
  const edit = (path: string, change: (text: string) => string): void =>
    writeFileSync(join(older, path), change(readFileSync(join(older, path), "utf8")));
  // As an older generator would have left it: one archive, another one, and a file that reads otherwise.
  renameSync(join(older, ARCHIVES["@rulebound/generator"]), join(older, OLD_ARCHIVE));
  renameSync(join(older, ARCHIVES["@rulebound/runtime"]), join(older, OLD_RUNTIME));
  edit("package.json", (text) =>
    text
      .replace("generator-0.1.0.tgz", "generator-0.0.9.tgz")
      .replace("runtime-0.1.0.tgz", "runtime-0.0.9.tgz")
      .replace(/"typescript": "\d+\.\d+\.\d+"/, '"typescript": "5.0.0"')
      .replace('"tsx": "', '"tsx": "^')
      .replace('"test": "', '"test": "echo mine && '),
  );
  edit(GENERATED, (text) => `${text}// An older line.\n`);
  edit("src/custom/notes.ts", (text) => OWN_CODE + text);
  chmodSync(join(older, "src/custom/notes.ts"), 0o755);
  writeFileSync(join(older, "src/custom/latin.ts"), LATIN);
  const hash = createHash("sha256")
    .update(readFileSync(join(older, GENERATED)))
    .digest("hex");
  edit("generator.lock", (text) =>
    text
      .replace("generator 0.1.0", "generator 0.0.9")
      .replace(new RegExp(`^\\w{64}  ${GENERATED}$`, "m"), `${hash}  ${GENERATED}`),
  );
  rmSync(join(older, "src/migrate.ts"));
  const locked = {
    packages: {
      "": { devDependencies: { "@rulebound/generator": `file:${OLD_ARCHIVE}` } },
      "node_modules/@rulebound/generator": {
        version: "0.0.9",
        resolved: `file:${OLD_ARCHIVE}`,
        integrity: "sha512-old",
      },
    },
  };
  writeFileSync(join(older, "package-lock.json"), `${JSON.stringify(locked, null, 2)}\n`);
});

test("a service that has this generator already is told so, and nothing is written", async () => {
  const project = copyOf(made);
  const before = treeOf(project, { times: true });
  const { exitCode, out, err } = await generator(["upgrade", project]);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
  expect(out).toContain("The service has this generator already (0.1.0).");
  expect(treeOf(project, { times: true })).toEqual(before);
});

test("an older service gets the archive, what package.json needs, and every generated file; the user's values stay", async () => {
  const project = copyOf(older);
  const { exitCode, out, err } = await generator(["upgrade", project]);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
  expect(out).toContain("From generator 0.0.9 to 0.1.0.");
  expect(out).toContain("node_modules/@rulebound/generator/docs/changelog.md");
  expect(out).toContain("package.json  devDependencies: typescript 5.0.0 -> 6.");
  expect(out).toContain("package.json  dependencies: @rulebound/runtime file:vendor/");
  expect(out).toContain("kept as you wrote it: devDependencies.tsx: ^");
  expect(out).toContain("kept as you wrote it: scripts.test: echo mine");
  expect(out).toContain("A new service also has these; --scaffold makes them: src/migrate.ts\n");
  expect(readdirSync(join(project, "vendor"))).toEqual([
    "rulebound-generator-0.1.0.tgz",
    "rulebound-runtime-0.1.0.tgz",
  ]);
  const text = (path: string): string => readFileSync(join(project, path), "utf8");
  expect(text(GENERATED)).toBe(readFileSync(join(made, GENERATED), "utf8"));
  // What is gone is told; what has only moved is followed, in the folder of generated code alone.
  const followed = OWN_CODE.replace("../generated/context.js", "../generated/services.js").replace(
    "../generated/entities/tickets/tickets.input.js",
    "../generated/entities/tickets/tickets.hooks.js",
  );
  expect(text("src/custom/notes.ts").startsWith(followed)).toBe(true);
  expect(out).toContain("src/custom/notes.ts  imports follow generated files that have moved\n");
  expect(statSync(join(project, "src/custom/notes.ts")).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(project, "src/custom/latin.ts"))).toEqual(LATIN);
  const told = IMPORTS.map((line) => `  src/custom/notes.ts:${line}\n`).join("");
  expect(out).toContain(`because @rulebound/runtime/internal is gone:\n${told}`);
  expect(text("generator.lock")).toBe(readFileSync(join(made, "generator.lock"), "utf8"));
  const archive = ARCHIVES["@rulebound/generator"];
  const digest = createHash("sha512").update(readFileSync(join(project, archive)));
  expect(JSON.parse(text("package-lock.json"))).toMatchObject({
    packages: {
      "": { devDependencies: { "@rulebound/generator": `file:${archive}` } },
      "node_modules/@rulebound/generator": {
        version: "0.1.0",
        resolved: `file:${archive}`,
        integrity: `sha512-${digest.digest("base64")}`,
      },
    },
  });
  expect(text("package.json")).toContain("echo mine && ");
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0 });
});

test("--dry-run tells the same, and writes nothing", async () => {
  const project = copyOf(older);
  const before = treeOf(project, { times: true });
  const { out } = await generator(["upgrade", project, "--dry-run", "--json"]);
  expect(JSON.parse(out)).toMatchObject({
    ...{ ok: true, applied: false, from: "0.0.9", to: "0.1.0", missing: ["src/migrate.ts"] },
    archives: Object.values(ARCHIVES),
    imports: IMPORTS.map((line) => ({ place: `src/custom/notes.ts:${line.split(" ", 1)[0]}` })),
  });
  expect(treeOf(project, { times: true })).toEqual(before);
  expect(readdirSync(join(project, "vendor"))).toEqual([OLD_ARCHIVE, OLD_RUNTIME].map(named));
});

test("a generated file that was edited stops it before anything is written", async () => {
  const project = copyOf(older);
  writeFileSync(join(project, GENERATED), "mine\n");
  const before = treeOf(project, { times: true });
  const { exitCode, err } = await generator(["upgrade", project]);
  expect(exitCode).toBe(1);
  expect(err).toContain("OWN-1");
  expect(treeOf(project, { times: true })).toEqual(before);
  expect(readdirSync(join(project, "vendor"))).toEqual([OLD_ARCHIVE, OLD_RUNTIME].map(named));
});

test("--scaffold makes what a new service has and this one lacks", async () => {
  const project = copyOf(older);
  const { out } = await generator(["upgrade", project, "--scaffold"]);
  expect(out).not.toContain("A new service also has");
  const path = "src/migrate.ts";
  expect(treeOf(project)[path]).toBe(treeOf(made)[path]);
});

test("an older generator does not upgrade a newer service", async () => {
  const project = copyOf(made);
  const lock = join(project, "generator.lock");
  writeFileSync(lock, readFileSync(lock, "utf8").replace("generator 0.1.0", "generator 9.0.0"));
  const { exitCode, err } = await generator(["upgrade", project]);
  expect(exitCode).toBe(1);
  expect(err).toContain("OWN-7");
});
