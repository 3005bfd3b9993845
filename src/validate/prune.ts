import type { PathStep } from "../load/source-document.js";
import type { Mapping } from "./plain.js";
import { isMapping } from "./plain.js";
import type { ShapeError } from "./shape.js";
import { pathOf } from "./shape-findings.js";

/** A value without its faulty parts, so that the rules can check the rest. */
export interface Pruned {
  readonly value: Mapping;
  /** True if something at or directly below a path was removed, so that the rest is incomplete. */
  isCut(path: readonly PathStep[]): boolean;
}

/** Removes what ajv reported. */
export function prune(value: Mapping, errors: readonly ShapeError[]): Pruned {
  if (errors.length === 0) return { value, isCut: () => false };
  const cuts = errors.flatMap(cutOf);
  const copy = structuredClone(value) as Mapping; // a clone has the type of what it is made from
  for (const path of cuts) remove(copy, path);
  const touched = new Set(cuts.flatMap((path) => [text(path), text(path.slice(0, -1))]));
  return { value: copy, isCut: (path) => touched.has(text(path)) };
}

function cutOf({ instancePath, keyword, params }: ShapeError): PathStep[][] {
  const path = pathOf(instancePath);
  if (keyword === "if") return [];
  if (keyword === "required") return [];
  if (keyword === "additionalProperties") return [[...path, String(params["additionalProperty"])]];
  return path.length === 0 ? [] : [path];
}

function remove(root: unknown, path: readonly PathStep[]): void {
  let holder: unknown = root;
  for (const step of path.slice(0, -1)) {
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, step)) return;
    holder = Reflect.get(holder, step);
  }
  const last = path.at(-1);
  if (last === undefined || typeof holder !== "object" || holder === null) return;
  // An empty slot keeps the positions of the other items; every rule skips what is not a string.
  if (Array.isArray(holder)) holder[Number(last)] = undefined;
  // The property itself stays, so that its name is checked.
  else if (path.at(-2) === "properties") Reflect.set(holder, last, {});
  else if (isMapping(holder)) Reflect.deleteProperty(holder, last);
}

function text(path: readonly PathStep[]): string {
  return path.join("\0");
}
