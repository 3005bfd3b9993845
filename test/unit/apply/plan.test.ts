import { expect, test } from "vitest";
import { InternalError } from "../../../src/diagnostics/internal-error.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { generated, generateFiles, linesOf, planFor, ROOT, userFile } from "./project.js";

const APP = "src/generated/app.ts";
const CUSTOM = "src/custom/tickets.ts";

function codes(result: ReturnType<typeof planFor>): string[] {
  return result.diagnostics.map(({ code, span }) => `${code} ${span.file}`);
}

function planned(result: ReturnType<typeof planFor>): string[] {
  if (!result.ok) throw new Error(codes(result).join());
  return linesOf(result.value);
}

test("a first run creates everything, and a second run changes nothing", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  const outputs = [generated(APP, "one\n"), userFile(CUSTOM, "mine\n")];
  expect(linesOf(generateFiles(files, outputs))).toEqual([
    "created generator.lock",
    `created ${CUSTOM}`,
    `created ${APP}`,
  ]);
  expect(planned(planFor(files, outputs))).toEqual([
    "unchanged generator.lock",
    `unchanged ${CUSTOM}`,
    `unchanged ${APP}`,
  ]);
});

test("a generated file that nobody edited is updated, and a user's file never", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  generateFiles(files, [generated(APP, "one\n"), userFile(CUSTOM, "mine\n")]);
  files.writeFile(`${ROOT}/${CUSTOM}`, "edited\n");
  generateFiles(files, [generated(APP, "two\n"), userFile(CUSTOM, "new\n")]);
  expect(files.readText(`${ROOT}/${APP}`)).toBe("two\n");
  expect(files.readText(`${ROOT}/${CUSTOM}`)).toBe("edited\n");
});

test("a generated file that was edited is OWN-1, and one that was there before is OWN-4", () => {
  const files = new MemoryFiles({ [`${ROOT}/src/generated/b.ts`]: "by hand\n" });
  generateFiles(files, [generated(APP, "one\n")]);
  files.writeFile(`${ROOT}/${APP}`, "edited\n");
  const result = planFor(files, [generated(APP, "two\n"), generated("src/generated/b.ts", "b\n")]);
  expect(result.ok).toBe(false);
  expect(codes(result)).toEqual([`OWN-1 ${APP}`, "OWN-4 src/generated/b.ts"]);
});

test("an edit that says what would be generated anyway is no conflict", () => {
  const files = new MemoryFiles({ [`${ROOT}/${APP}`]: "one\n" });
  expect(planned(planFor(files, [generated(APP, "one\n")]))).toEqual([
    "created generator.lock",
    `unchanged ${APP}`,
  ]);
});

test("with force an edited file is saved beside itself, under the first free name", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  generateFiles(files, [generated(APP, "one\n")]);
  for (const text of ["first\n", "second\n"]) {
    files.writeFile(`${ROOT}/${APP}`, text);
    generateFiles(files, [generated(APP, "two\n")], { force: true });
  }
  expect(files.readText(`${ROOT}/${APP}`)).toBe("two\n");
  expect(files.readText(`${ROOT}/${APP}.edited`)).toBe("first\n");
  expect(files.readText(`${ROOT}/${APP}.edited.2`)).toBe("second\n");
});

test("a checkout with CRLF counts as unchanged", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  const outputs = [generated(APP, "one\ntwo\n")];
  generateFiles(files, outputs);
  for (const path of [`${ROOT}/${APP}`, `${ROOT}/generator.lock`]) {
    files.writeFile(path, files.readText(path).replaceAll("\n", "\r\n"));
  }
  expect(planned(planFor(files, outputs))).toEqual([
    "unchanged generator.lock",
    `unchanged ${APP}`,
  ]);
});

test("a stale file is removed with its empty folders while it is ours, and kept once it was edited", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  const [one, two] = ["src/generated/v1/a/a.ts", "src/generated/v1/b/b.ts"];
  generateFiles(files, [generated(one, "a\n"), generated(two, "b\n"), generated(APP, "app\n")]);
  files.writeFile(`${ROOT}/${two}`, "edited\n");
  const result = planFor(files, [generated(APP, "app\n")]);
  expect(codes(result)).toEqual([`OWN-1 ${two}`]);
  expect(result.diagnostics[0]?.severity).toBe("warning");
  expect(planned(result)).toEqual([
    "updated generator.lock",
    `unchanged ${APP}`,
    `removed ${one}`,
    `kept ${two}`,
  ]);
  generateFiles(files, [generated(APP, "app\n")]);
  expect(files.exists(`${ROOT}/src/generated/v1/a`)).toBe(false);
  expect(files.readText(`${ROOT}/${two}`)).toBe("edited\n");
});

test("a user's file whose resource was renamed is kept, with the command that moves it", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  generateFiles(files, [userFile(CUSTOM, "mine\n")]);
  files.writeFile(`${ROOT}/${CUSTOM}`, "edited\n");
  const result = planFor(files, [userFile("src/custom/orders.ts", "new\n")]);
  expect(planned(result)).toContain(`kept ${CUSTOM}`);
  const kept = result.ok ? result.value.changes.find(({ path }) => path === CUSTOM) : undefined;
  expect(kept).toMatchObject({
    hint: expect.stringContaining(`git mv -f ${CUSTOM} src/custom/orders.ts`),
  });
});

test("a user's file that nobody has worked on goes with its resource, whatever it would be made with now", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  generateFiles(files, [userFile(CUSTOM, "made\n")]);
  generateFiles(files, [userFile(CUSTOM, "made otherwise\n")]);
  expect(linesOf(generateFiles(files, []))).toEqual([
    "updated generator.lock",
    `removed ${CUSTOM}`,
  ]);
  expect(files.exists(`${ROOT}/${CUSTOM}`)).toBe(false);
});

test("of a user's file whose beginning is on no record, only what it would be made with now is untouched", () => {
  for (const [text, want] of [
    ["made\n", "removed"],
    ["mine\n", "kept"],
  ] as const) {
    const files = new MemoryFiles({ [`${ROOT}/${CUSTOM}`]: text });
    generateFiles(files, [userFile(CUSTOM, "made\n")]);
    expect(planned(planFor(files, []))).toContain(`${want} ${CUSTOM}`);
  }
});

test("a generated file and a user's file that were deleted are created again", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  const outputs = [generated(APP, "one\n"), userFile(CUSTOM, "mine\n")];
  generateFiles(files, outputs);
  files.remove(`${ROOT}/${APP}`);
  files.remove(`${ROOT}/${CUSTOM}`);
  expect(planned(planFor(files, outputs))).toEqual([
    "unchanged generator.lock",
    `created ${CUSTOM}`,
    `created ${APP}`,
  ]);
});

test("a file that was reused is as the manifest says", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  generateFiles(files, [generated(APP, "one\n")]);
  expect(planned(planFor(files, [generated(APP, null)]))).toEqual([
    "unchanged generator.lock",
    `unchanged ${APP}`,
  ]);
});

test.each([
  {
    name: "a link",
    make: (files: MemoryFiles) => files.link(`${ROOT}/${APP}`, "/etc/passwd"),
    want: `OWN-3 ${APP}`,
  },
  {
    name: "a linked folder",
    make: (files: MemoryFiles) => files.link(`${ROOT}/src/generated`, "/etc"),
    want: `OWN-3 ${APP}`,
  },
  {
    name: "a folder",
    make: (files: MemoryFiles) => files.makeDirectory(`${ROOT}/${APP}`),
    want: `OWN-6 ${APP}`,
  },
  {
    name: "a file where a folder belongs",
    make: (files: MemoryFiles) => files.writeFile(`${ROOT}/src`, ""),
    want: "OWN-6 src",
  },
])("$name in the way is a conflict, even with force", ({ make, want }) => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  make(files);
  expect(codes(planFor(files, [generated(APP, "one\n")], { force: true }))).toEqual([want]);
});

test.each(["../x.ts", "/etc/x.ts", "a/../../x.ts", "a//b.ts", "c:/x.ts", "a\\b.ts", "NUL\0.ts"])(
  "the path %j never leads out of the project",
  (path) => {
    const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
    const result = planFor(files, [generated(path, "one\n")]);
    expect(codes(result)).toEqual([`OWN-3 ${path}`]);
  },
);

test.each([
  { name: "the same text", texts: ["one\n", "one\n"] },
  { name: "different texts", texts: ["one\n", "two\n"] },
])("a path that is emitted twice is a bug of ours, with $name", ({ texts }) => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  const outputs = texts.map((text) => generated(APP, text));
  expect(() => planFor(files, outputs)).toThrow(new InternalError(`${APP} is emitted twice`));
});

test("a file that is made once and is emitted as well is a bug of ours, too", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  const plan = (): unknown =>
    planFor(files, [userFile(CUSTOM, "one\n")], { once: [userFile(CUSTOM, "two\n")] });
  expect(plan).toThrow(new InternalError(`${CUSTOM} is emitted twice`));
});
