import { expect, test } from "vitest";
import { printManifest, readManifest } from "../../../src/apply/manifest.js";

const HASH = "a".repeat(64);
const MANIFEST = {
  madeBy: "1.2.3",
  generated: new Map([
    ["src/generated/b.ts", [HASH]],
    ["openapi/v1.json", [HASH]],
  ]),
  userFiles: new Map([
    ["src/custom/b.ts", [HASH]],
    ["src/custom/c.ts", []],
  ]),
};

test("generator.lock says what it is, names the version, and lists files by path", () => {
  expect(printManifest(MANIFEST).split("\n").slice(2)).toEqual([
    "generator 1.2.3",
    `${HASH}  openapi/v1.json`,
    `-${HASH}  src/custom/b.ts`,
    "-  src/custom/c.ts",
    `${HASH}  src/generated/b.ts`,
    "",
  ]);
});

test("what was printed is read back, with LF or CRLF", () => {
  const text = printManifest(MANIFEST);
  const want = { ok: true, value: MANIFEST };
  expect(readManifest(text, "1.2.3")).toMatchObject(want);
  expect(readManifest(text.replaceAll("\n", "\r\n"), "1.2.3")).toMatchObject(want);
});

test.each([
  { line: "<<<<<<< HEAD", want: "OWN-8" },
  { line: `${HASH}  ../outside.ts`, want: "OWN-10" },
  { line: `${HASH}  /etc/passwd`, want: "OWN-10" },
  { line: `${HASH}  src\\app.ts`, want: "OWN-10" },
  { line: `${HASH}  resources/v1/tickets.yaml`, want: "OWN-11" },
  { line: `${HASH}  src/custom/tickets.ts`, want: "OWN-11" },
  { line: `${HASH}  .git/config`, want: "OWN-10" },
  { line: "-  openapi/v1.json", want: "OWN-12" },
  { line: "abc  src/app.ts", want: "OWN-2" },
  { line: HASH, want: "OWN-2" },
  { line: "  src/app.ts", want: "OWN-2" },
  { line: `-${HASH.slice(1)}  src/custom/d.ts`, want: "OWN-2" },
  { line: `-${HASH}  openapi/v1.json`, want: "OWN-12" },
  { line: `${HASH}  src/custom/c.ts`, want: "OWN-11" },
  { line: `${HASH}  package.json`, want: "OWN-11" },
  { line: `${HASH}  src/main.ts`, want: "OWN-11" },
  { line: `${HASH}  .github/workflows/own.yml`, want: "OWN-11" },
])("a lock with the line $line is not trusted at all", ({ line, want }) => {
  const result = readManifest(`${printManifest(MANIFEST)}${line}\n`, "1.2.3");
  expect(result.ok).toBe(false);
  expect(result.diagnostics).toMatchObject([{ code: want, span: { line: 8 } }]);
});

test("a lock that is larger than any project's is not read", () => {
  const text = `${printManifest(MANIFEST)}${"\n".repeat(2 ** 25)}`;
  expect(readManifest(text, "1.2.3").diagnostics).toMatchObject([{ code: "OWN-13" }]);
});

test("after a merge that kept the lines of both sides, each hash of a path counts, and the newer version", () => {
  const other = "b".repeat(64);
  const merged = printManifest(MANIFEST).replace(
    "generator 1.2.3",
    "generator 1.2.3\ngenerator 1.3.0",
  );
  const manifest = readManifest(`${merged}${other}  openapi/v1.json\n`, "1.3.0");
  expect(manifest).toMatchObject({ ok: true, value: { madeBy: "1.3.0" } });
  expect(manifest.ok && manifest.value.generated.get("openapi/v1.json")).toEqual([HASH, other]);
  expect(readManifest(merged, "1.2.3").diagnostics).toMatchObject([{ code: "OWN-7" }]);
});

test.each(["", "hello", `${HASH}  src/app.ts`])("%j is no lock", (text) => {
  expect(readManifest(text, "1.2.3").diagnostics).toMatchObject([{ code: "OWN-9" }]);
});

test.each([
  { current: "1.2.2", ok: false },
  { current: "1.1.9", ok: false },
  { current: "1.2.3", ok: true },
  { current: "1.3.0", ok: true },
  { current: "2.0.0", ok: true },
  { current: null, ok: true },
])("a lock of 1.2.3 read by $current", ({ current, ok }) => {
  const result = readManifest(printManifest(MANIFEST), current);
  expect(result.ok).toBe(ok);
  expect(result.diagnostics.map(({ code }) => code)).toEqual(ok ? [] : ["OWN-7"]);
});
