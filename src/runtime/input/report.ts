import { isDeepStrictEqual } from "node:util";

import { validationFailed, type FieldIssue } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { truncate } from "../base/truncate.js";
import type { JsonObject } from "./json.js";

/** Looking for a near name is the dearest part of a refusal: a request full of unknown ones costs no more than this many. */
const MOST_SUGGESTIONS = 20;

/** OPS-4: the issue of an immutable property. */
export const UNCHANGEABLE = "cannot be changed";

/** Collects what is wrong with one request, so that all of it is answered at once (ERR-4). */
export class Report {
  private readonly found: FieldIssue[] = [];
  private readonly paths = new Set<string>();

  /** `isOwn`: what is read was made by the service's own code, which also writes what clients only read (REP-9). */
  constructor(readonly isOwn = false) {}

  /** All of them, in the order in which they were found. */
  get issues(): readonly FieldIssue[] {
    return [...this.found];
  }

  /** How many properties have an issue; a reader that made it grow found one. */
  get size(): number {
    return this.found.length;
  }

  /** Adds an issue; the first one of a property counts. */
  add(path: string, message: string): void {
    if (this.paths.has(path)) return;
    this.paths.add(path);
    this.found.push({ field: path, message });
  }

  /** Adds an issue for each property that the schema does not know (OPS-8). */
  refuseUnknown(body: JsonObject, known: ReadonlySet<string>, parentPath?: string): void {
    for (const name of Object.keys(body)) {
      if (known.has(name)) continue;
      const path = parentPath === undefined ? truncate(name) : `${parentPath}.${truncate(name)}`;
      this.add(path, `is not known${this.suggestion(name, known)}`);
    }
  }

  /** `; did you mean "title"?`, or nothing where no candidate is near, or many issues have been told already. */
  suggestion(name: string, candidates: Iterable<string>): string {
    return this.found.length < MOST_SUGGESTIONS ? suggestion(name, candidates) : "";
  }

  /** Adds an issue for each of the properties that a PUT leaves out (OPS-4). */
  requireAll(body: JsonObject, names: readonly string[]): void {
    for (const name of names) {
      if (body[name] === undefined) {
        this.add(name, "is missing; a PUT has every property, and null where there is no value");
      }
    }
  }

  /** Adds an issue where an immutable property would change (OPS-4), and returns what is stored. */
  unchanged<T>(next: T, stored: T, path: string): T {
    if (next !== stored && !isDeepStrictEqual(next, stored)) {
      this.add(path, UNCHANGEABLE);
    }
    return stored;
  }

  /** Throws `validationFailed` with every issue; returns if there is none. */
  throwIfAny(): void {
    if (this.found.length > 0) throw validationFailed(this.issues);
  }
}
