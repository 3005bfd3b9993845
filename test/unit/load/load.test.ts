import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { format } from "../../../src/diagnostics/format.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { nodeFiles } from "../../../src/files/node-files.js";
import { load } from "../../../src/load/load.js";
import type { SourceTree } from "../../../src/load/source-document.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

function loadText(text: string | Uint8Array): { codes: string[]; value: unknown } {
  const files = { "/p/service.yaml": "service: helpdesk\n", "/p/resources/v1/tickets.yaml": text };
  const tree = loaded(new MemoryFiles(files));
  const codes = tree.problems.map(({ code, span }) => `${span.line}:${span.column} ${code}`);
  return { codes, value: tree.resources[0]?.value };
}

function loaded(files: MemoryFiles, remembered?: (hash: string) => unknown): SourceTree {
  const result = load(files, "/p", remembered);
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join("\n"));
  return result.value;
}

test.each([
  { name: "nothing", given: "", want: "1:1 SCH-2" },
  { name: "a comment", given: "# nothing\n", want: "1:1 SCH-2" },
  { name: "null", given: "null\n", want: "1:1 SCH-2" },
  { name: "a list", given: "- a\n", want: "1:1 SCH-8" },
  { name: "two documents", given: "a: 1\n---\nb: 2\n", want: "2:1 SCH-3" },
  { name: "a directive", given: "# c\n%YAML 1.1\n---\na: 1\n", want: "2:1 SCH-4" },
  { name: "an anchor", given: "a: &x 1\n", want: "1:7 SCH-4" },
  { name: "a tag", given: "a: !!js/function 'x'\n", want: "1:18 SCH-4" },
  { name: "a merge key", given: "a: {<<: {b: 1}}\n", want: "1:5 SCH-4" },
  { name: "a key in quotes and without", given: 'a: 1\n"a": 2\n', want: "2:1 SCH-5" },
  { name: "a key that is no text", given: "null: 1\n", want: "1:1 SCH-8" },
  { name: "33 levels", given: `a: ${"[".repeat(32)}${"]".repeat(32)}\n`, want: "1:35 SCH-123" },
  { name: "a text of 4,097 bytes", given: `a: ${"x".repeat(4097)}\n`, want: "1:4 SCH-6" },
  { name: "a control character", given: 'a: "x\u0007"\n', want: "1:6 SCH-22" },
  { name: "an escaped control character", given: 'a: "x\\0"\n', want: "1:4 SCH-22" },
  { name: "a bidi override in a comment", given: "a: 1 # \u202e\n", want: "1:8 SCH-23" },
  { name: "Latin-1", given: Uint8Array.of(0x61, 0x3a, 0x20, 0xe9), want: "1:1 SCH-26" },
  { name: "lone carriage returns", given: "a: 1\rb: 2\r", want: "1:4 SCH-27" },
  { name: "an integer beyond 53 bits", given: "a: 9007199254740993\n", want: "1:4 SCH-34" },
  { name: "an unclosed list", given: "a: [1\n", want: "1:5 SCH-1" },
])("refuses $name", ({ given, want }) => {
  expect(loadText(given).codes).toEqual([want]);
});

test.each([
  { name: "CRLF", given: "a: 1\r\nb: x\r\n", want: { a: 1, b: "x" } },
  { name: "a byte order mark", given: "\ufeffa: 1\n", want: { a: 1 } },
  { name: "no final line feed", given: "a: 1", want: { a: 1 } },
  { name: "32 levels", given: `a: ${"[".repeat(31)}${"]".repeat(31)}\n` },
  { name: "a text of 4,096 bytes", given: `a: ${"x".repeat(4096)}\n` },
  {
    name: "numbers that are exact",
    given: "a: 1.10\nb: 0x1f\nc: 1e3\nd: -0.0\n",
    want: { a: 1.1, b: 31, c: 1000, d: -0 },
  },
  { name: "U+2028 in a text", given: 'a: "x\u2028y"\n', want: { a: "x\u2028y" } },
  { name: "words of YAML 1.1 as texts", given: "a: no\nb: on\n", want: { a: "no", b: "on" } },
])("reads $name", ({ given, want }) => {
  const read = loadText(given);
  expect(read.codes).toEqual([]);
  if (want !== undefined) expect(read.value).toEqual(want);
});

test.each([
  { name: "an alias bomb", given: bomb() },
  { name: "5,000 brackets", given: "[".repeat(5000) + "]".repeat(5000) },
  { name: "100,000 nested lists on a line", given: "- ".repeat(100_000) },
  { name: "100,000 explicit keys on a line", given: "? ".repeat(100_000) },
  {
    name: "20,000 keys",
    given: Array.from({ length: 20_000 }, (_, key) => `k${key}: 1\n`).join(""),
  },
  { name: "80,000 anchors", given: "&a ".repeat(80_000) },
  { name: "a million characters", given: `a: ${"x".repeat(1_048_576)}` },
])("answers $name with a refusal, in bounded time", ({ given }) => {
  const before = process.cpuUsage().user;
  expect(loadText(given).codes.length).toBeGreaterThan(0);
  // Microseconds; G9 allows 2 s, and a quadratic parser would need minutes.
  expect(process.cpuUsage().user - before).toBeLessThan(5_000_000);
});

function bomb(): string {
  const level = (index: number): string =>
    `${"bcdefghij"[index]}: &${"bcdefghij"[index]} [${`*${"abcdefghi"[index]},`.repeat(10)}]\n`;
  return `a: &a [x]\n${[0, 1, 2, 3, 4, 5, 6, 7, 8].map(level).join("")}`;
}

test("the same text with other line ends has the same hash", () => {
  const hash = (text: string): string | undefined =>
    loaded(new MemoryFiles({ "/p/service.yaml": text, "/p/resources/v1/a.yaml": "a: 1" })).service
      .hash;
  expect(hash("service: x\r\n")).toBe(hash("service: x\n"));
  expect(hash("service: x\r\n")).toMatch(/^[0-9a-f]{64}$/);
});

test("a remembered text is not parsed, and still says where its parts stand", () => {
  const text = "resource: tickets\nproperties:\n  title: { type: string }\n";
  const files = new MemoryFiles({
    "/p/service.yaml": "service: x\n",
    "/p/resources/v1/tickets.yaml": text,
  });
  const known = { resource: "remembered" };
  const hash = loaded(files).resources[0]?.hash;
  const [document] = loaded(files, (asked) => (asked === hash ? known : undefined)).resources;
  expect(document?.value).toBe(known);
  expect(document?.locate(["properties", "title", "type"]).span).toMatchObject({
    line: 3,
    column: 18,
  });
});

test.each([
  { path: ["properties", "title"], part: "key", want: "3:3-3:8" },
  { path: ["properties", "title", "type"], part: "value", want: "3:18-3:24" },
  { path: ["properties", "tags", "items", "enum", "1"], part: "value", want: "4:33-4:34" },
  { path: ["properties", "empty"], part: "value", want: "5:3-5:8" },
  { path: ["properties", "title", "nowhere", "deeper"], part: "value", want: "3:10-3:26" },
] as const)("$path stands at $want", ({ path, part, want }) => {
  const text =
    "resource: a\nproperties:\n  title: { type: string }\n  tags: { items: { enum: [long, b, b] } }\n  empty:\n";
  const files = { "/p/service.yaml": "service: x\n", "/p/resources/v1/a.yaml": text };
  const span = loaded(new MemoryFiles(files)).resources[0]?.locate(path, part).span;
  expect(`${span?.line}:${span?.column}-${span?.endLine}:${span?.endColumn}`).toBe(want);
});

test("names of folders and files are checked, and none is overlooked", () => {
  const files = new MemoryFiles({
    "/p/service.yaml": "service: x\n",
    "/p/resources/readme.md": "",
    "/p/resources/orders.yaml": "",
    "/p/resources/V1/orders.yaml": "",
    "/p/resources/v1/.hidden": "",
    "/p/resources/v1/a.yml": "",
    "/p/resources/v1/b.YAML": "",
    "/p/resources/v1/folder/c.yaml": "",
    "/p/resources/v1/d.yaml": "a: 1",
  });
  const tree = loaded(files);
  expect(tree.resources.map(({ path }) => path)).toEqual(["resources/v1/d.yaml"]);
  expect(tree.problems.map(({ code, span }) => `${code} ${span.file}`)).toEqual([
    "VER-1 resources/V1",
    "SCH-116 resources/orders.yaml",
    "SCH-25 resources/v1/a.yml",
    "SCH-25 resources/v1/b.YAML",
    "SCH-115 resources/v1/folder",
  ]);
});

test("a folder that is no project says where one is", () => {
  const result = load(new MemoryFiles({ "/p/helpdesk/service.yaml": "" }), "/p");
  expect(result.diagnostics.map(({ suggestion }) => suggestion)).toEqual([
    "There is one in helpdesk: run the command in helpdesk, or name the folder.",
  ]);
});

test("only regular files inside the project are read: no pipe, no device, no loop, no way out", () => {
  const root = temporaryFolder();
  const resources = join(root, "project", "resources", "v1");
  mkdirSync(join(resources, "folder.yaml"), { recursive: true });
  writeFileSync(join(root, "outside.yaml"), "a: 1");
  writeFileSync(join(root, "project", "service.yaml"), "service: x\n");
  writeFileSync(join(root, "project", "inside"), "a: 1");
  execFileSync("mkfifo", [join(resources, "pipe.yaml")]);
  symlinkSync("/dev/zero", join(resources, "device.yaml"));
  symlinkSync(join(root, "outside.yaml"), join(resources, "out.yaml"));
  symlinkSync("loop.yaml", join(resources, "loop.yaml"));
  symlinkSync("../../inside", join(resources, "in.yaml"));
  const result = load(nodeFiles, join(root, "project"));
  const problems = result.ok ? result.value.problems : [];
  expect(problems.map(({ code, span }) => `${code} ${span.file}`)).toEqual([
    "SCH-113 resources/v1/device.yaml",
    "SCH-24 resources/v1/folder.yaml",
    "SCH-113 resources/v1/loop.yaml",
    "SCH-113 resources/v1/out.yaml",
    "SCH-24 resources/v1/pipe.yaml",
  ]);
  expect(result.ok && result.value.resources.map(({ path }) => path)).toEqual([
    "resources/v1/in.yaml",
  ]);
});

test.each([
  {
    name: "a control character",
    given: 'a: "x\u0007"\n',
    want: "The control character U+0007 is not allowed in a schema. Remove it.",
  },
  {
    name: "Latin-1",
    given: Uint8Array.of(0x61, 0x3a, 0x20, 0xe9),
    want: "The file is not encoded as UTF-8. Save it as UTF-8.",
  },
  {
    name: "a lone carriage return",
    given: "a: 1\rb: 2\r",
    want: "This line ends in a carriage return without a line feed.",
  },
  {
    name: "a link that is broken",
    given: null,
    want: '"resources/v1/tickets.yaml" is a symbolic link that is broken or leads outside the project. Copy the file, or link to a file inside the project.',
  },
])("$name is refused in words; a page in docs/diagnostics cannot hold it", ({ given, want }) => {
  const path = "/p/resources/v1/tickets.yaml";
  const service = { "/p/service.yaml": "service: helpdesk\n" };
  const files = new MemoryFiles(given === null ? service : { ...service, [path]: given });
  if (given === null) files.link(path, "/nowhere");
  expect(format(loaded(files).problems)).toContain(`\n  ${want}   generator explain SCH-`);
});

test("a file that the operating system refuses is told with its error", () => {
  class Refusing extends MemoryFiles {
    override readBytes(path: string): Uint8Array {
      if (!path.endsWith("tickets.yaml")) return super.readBytes(path);
      throw Object.assign(new Error("permission denied"), { code: "EACCES" });
    }
  }
  const files = new Refusing({
    "/p/service.yaml": "service: a",
    "/p/resources/v1/tickets.yaml": "a: 1",
  });
  expect(loaded(files).problems).toMatchObject([
    { code: "SCH-114", message: '"resources/v1/tickets.yaml" cannot be read (EACCES).' },
  ]);
});
