import { posix } from "node:path";
import { isMap, isScalar, parseDocument } from "yaml";
import { expect } from "vitest";
import { wholeService } from "../support/compiled-service.js";
import { maskedSyntax } from "../support/masked-syntax.js";
import { renderFiles, type Texts } from "../support/render-files.js";
import { sqlTokens } from "../support/sql-tokens.js";

/** Every emitted file by path, reduced to what tools read in it. */
export type Skeleton = Readonly<Record<string, string>>;

/** The files of one that are not those of its harmless twin. */
export function differences(found: Skeleton, twin: Skeleton | "refused"): string[] {
  if (twin === "refused") return ["the harmless twin is refused"];
  const paths = [...new Set([...Object.keys(found), ...Object.keys(twin)])];
  return paths
    .filter((path) => found[path] !== twin[path])
    .map((path) => `${path}\n${found[path] ?? "is missing"}\n--- and not\n${twin[path] ?? ""}`);
}

/** Every emitted file with what a text may change left out; throws for one that is not well formed. */
export async function skeleton(files: Texts): Promise<Skeleton | "refused"> {
  const result = await renderFiles(files);
  if (!result.ok) {
    for (const { span, message } of result.diagnostics) {
      expect(Object.keys(files)).toContain(span.file);
      expect(span.line).toBeGreaterThan(0);
      expect(span.column).toBeGreaterThan(0);
      expect(message).not.toBe("");
    }
    return "refused";
  }
  const own = Object.entries(await wholeService(result.value));
  for (const [path] of own) expect(isInside(path), path).toBe(true);
  return Object.fromEntries(own.map(([path, text]) => [path, knownShape(path, text)]));
}

function isInside(path: string): boolean {
  return /^[\w./-]+$/.test(path) && posix.normalize(path) === path && !/^(?:\/|\.\.)/.test(path);
}

/** Most files are the same whatever the text is: each is parsed once. */
const shapes = new Map<string, string>();
function knownShape(path: string, text: string): string {
  const key = `${path}\0${text}`;
  const known = shapes.get(key) ?? shape(path, text);
  shapes.set(key, known);
  return known;
}

/** What a tool reads in a file, without what its texts say. */
function shape(path: string, text: string): string {
  expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  if (path.endsWith(".ts")) return maskedSyntax(path, text);
  if (path.endsWith(".json")) return keys(JSON.parse(text));
  if (path.endsWith(".sql")) return sqlTokens(text).join(" ");
  if (/\.ya?ml$/.test(path)) return yamlKeys(text);
  if (path.endsWith(".md")) return markup(text);
  return text;
}

/** The structure of a JSON value: keys, and the kinds of values. */
function keys(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keys).join(",")}]`;
  if (typeof value !== "object" || value === null) return typeof value;
  return `{${Object.entries(value)
    .map(([key, held]) => `${key}:${keys(held)}`)
    .join(",")}}`;
}

/** What Markdown and HTML act upon, a line each; lines of plain words are left out. */
function markup(text: string): string {
  const lines = text.replace(/&(?:#\d+|\w+);/g, "x").split("\n");
  const signs = lines.map((line) => line.match(/[<>|#`*_[\]!{}\\&~]|^\s*[-+=:]|^\s*\d+[.)]/g));
  return signs.flatMap((found) => (found === null ? [] : [found.join("")])).join("\n");
}

function yamlKeys(text: string): string {
  const { contents, errors } = parseDocument(text);
  expect(errors).toEqual([]);
  expect(isMap(contents)).toBe(true);
  return isMap(contents)
    ? contents.items.map(({ key }) => (isScalar(key) ? String(key.value) : "?")).join(",")
    : "";
}
