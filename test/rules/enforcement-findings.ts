import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Rule } from "../../src/rules/rules.js";
import { RUNTIME_SOURCE } from "../support/runtime.js";
import { serviceFolder } from "../support/service-folders.js";

/** Services that between them have something of every rule. */
const SERVICES = ["contract", "deprecated", "secured", "versions"].map(serviceFolder);
const EMITTED = [
  ...SERVICES.flatMap(filesOf),
  ...filesOf(RUNTIME_SOURCE).map((path) => `@rulebound/runtime/${path}`),
];
const DOCUMENTS = SERVICES.map((folder): unknown =>
  JSON.parse(readFileSync(join(folder, "openapi/v1.json"), "utf8")),
);

/** What a rule claims about its enforcement that is not true, in words. */
export function enforcementFindings({ id, enforcedBy }: Rule): string[] {
  const { codes, checks, emitted, openapi, tests } = enforcedBy;
  const kept = [...codes, ...emitted, ...openapi];
  const isKept = kept.length > 0 && tests.length > 0;
  return [
    ...(isKept ? [] : [`${id} is supported, and nothing enforces it`]),
    ...(checks.length === 0 ? [] : codes.filter((code) => !isFoundBy(code, checks))),
    ...codes.filter((code) => !existsSync(`docs/diagnostics/${code}.md`)),
    ...[...checks, ...tests].filter((path) => !existsSync(path)),
    ...emitted.filter((path) => !EMITTED.some((file) => pattern(path).test(file))),
    ...openapi.filter((place) => !DOCUMENTS.some((root) => has(root, place.split(" > "), root))),
  ].map((problem) => `${id}: ${problem}`);
}

/** Whether one of the files reports the code. */
function isFoundBy(code: string, checks: readonly string[]): boolean {
  const there = checks.filter((path) => existsSync(path));
  return there.some((path) => readFileSync(path, "utf8").includes(`"${code}"`));
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) =>
    relative(folder, join(folder, path)).split(sep).join("/"),
  );
}

/** `<resources>` is any name; so is every other word in angle brackets. */
function pattern(text: string): RegExp {
  const parts = text.split(/<[^>]*>/).map((part) => part.replace(/[.{}$^*+?()[\]\\|]/g, "\\$&"));
  return new RegExp(`^${parts.join("[A-Za-z0-9]+")}$`);
}

/** Whether the steps lead somewhere; an array is entered by the `name` of its elements. */
function has(value: unknown, steps: readonly string[], root: unknown): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return true;
  return Object.entries(resolved(value, root)).some(([key, child]: [string, unknown]) => {
    const name = Array.isArray(value) ? String(resolved(child, root)["name"]) : key;
    return pattern(step).test(name) && has(child, rest, root);
  });
}

function resolved(value: unknown, root: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) return {};
  const found = Object.fromEntries(Object.entries(value));
  const reference: unknown = found["$ref"];
  if (typeof reference !== "string") return found;
  const steps = reference.slice("#/".length).split("/");
  return steps.reduce((at, step) => resolved(at[step], root), resolved(root, root));
}
