import { isDeepStrictEqual } from "node:util";

import { validationFailed, type FieldIssue } from "../base/errors.js";
import { suggestion, truncate } from "../base/texts.js";
import type { JsonObject } from "./json.js";

/** Finding similar names is expensive, and a request can be full of unknown ones. */
const MOST_SUGGESTIONS = 20;

/** The issue of an immutable property (OPS-4). */
export const UNCHANGEABLE = "cannot be changed";

/** Collects the issues of one request, which one response reports together (ERR-4). */
export class Report {
  private readonly found: FieldIssue[] = [];
  private readonly paths = new Set<string>();

  /** `isOwn`: the values come from custom code, which also writes what clients cannot (REP-9). */
  constructor(readonly isOwn = false) {}

  get issues(): readonly FieldIssue[] {
    return [...this.found];
  }

  get size(): number {
    return this.found.length;
  }

  /** Only the first issue of a property is kept. */
  add(path: string, message: string): void {
    if (this.paths.has(path)) return;
    this.paths.add(path);
    this.found.push({ field: path, message });
  }

  /** OPS-8 */
  refuseUnknown(body: JsonObject, known: ReadonlySet<string>, parentPath?: string): void {
    for (const name of Object.keys(body)) {
      if (known.has(name)) continue;
      const path = parentPath === undefined ? truncate(name) : `${parentPath}.${truncate(name)}`;
      this.add(path, `is not known${this.suggestion(name, known)}`);
    }
  }

  /** Returns `; did you mean "title"?`, or an empty string if no candidate is similar or there are many issues already. */
  suggestion(name: string, candidates: Iterable<string>): string {
    return this.found.length < MOST_SUGGESTIONS ? suggestion(name, candidates) : "";
  }

  /** OPS-4: a PUT has all of these. */
  requireAll(body: JsonObject, names: readonly string[]): void {
    for (const name of names) {
      if (body[name] === undefined) {
        this.add(name, "is missing; a PUT has every property, and null where there is no value");
      }
    }
  }

  /** OPS-4: adds an issue if the value would change; returns the stored one. */
  unchanged<T>(next: T, stored: T, path: string): T {
    if (next !== stored && !isDeepStrictEqual(next, stored)) {
      this.add(path, UNCHANGEABLE);
    }
    return stored;
  }

  /** Throws `validationFailed` with all issues, if there are any. */
  throwIfAny(): void {
    if (this.found.length > 0) throw validationFailed(this.issues);
  }
}
