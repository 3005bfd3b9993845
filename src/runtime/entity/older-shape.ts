import { isDeepStrictEqual } from "node:util";

import type { FieldIssue } from "../base/errors.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { UnshownValue } from "./unshown-value.js";

/** How an older version shows an entity of which custom code converts something (VER-2). */
export interface OlderShape<Entity> {
  readonly version: string;
  /** Throws where custom code makes what this version cannot hold. */
  readonly show: (entity: Entity) => object;
  /** The stored properties that each file of custom code converts. */
  readonly converted: Readonly<Record<string, readonly string[]>>;
}

/** A write, and the version whose client asks for it. */
export interface Written<Properties> {
  readonly next: Properties;
  /** Null: it is new. */
  readonly stored: Properties | null;
  /** Null: one without conversions, or custom code. */
  readonly version: string | null;
}

/**
 * Why older versions could not show what is about to be written (VER-2), by stored names. A row that they cannot show
 * already can still be changed elsewhere. Throws `UnshownValue` where it is the writing version itself that cannot.
 */
export function unshownIssues<Entity extends Properties, Properties>(
  shapes: readonly OlderShape<Entity>[],
  { next, stored, version }: Written<Properties>,
): FieldIssue[] {
  return shapes.flatMap((shape) => {
    const { show, converted } = shape;
    const changed = (names: readonly string[]): readonly string[] =>
      names.filter((name) => !isDeepStrictEqual(valueOf(next, name), valueOf(stored, name)));
    // Of what is new, what it lacks has to be shown as well.
    const isTouched =
      stored === null || Object.values(converted).some((names) => changed(names).length > 0);
    if (!isTouched) return [];
    try {
      // The identifier and the common fields are shown as they are: nothing converts them.
      show(next as Entity);
      return [];
    } catch (error) {
      // What a version has made of its own clients' values is not their mistake.
      if (!(error instanceof UnshownValue) || shape.version === version) throw error;
      const names = converted[error.file] ?? [];
      const blamed = changed(names);
      const message = `cannot be shown in ${shape.version}: ${reasonOf(error)}`;
      return (blamed.length > 0 ? blamed : names).map((field) => ({ field, message }));
    }
  });
}

/** The same of what custom code gives to a store. Throws `OwnCodeFault`. */
export function requireShown<Entity extends Properties, Properties>(
  shapes: readonly OlderShape<Entity>[],
  code: string,
  written: Written<Properties>,
): void {
  const issues = unshownIssues(shapes, written);
  if (issues.length > 0) throw new OwnCodeFault(code, issues);
}

function valueOf(holder: unknown, name: string): unknown {
  const value: unknown = holder === null ? null : Reflect.get(Object(holder), name);
  return value;
}

function reasonOf({ fields }: UnshownValue): string {
  return fields.map(({ field, message }) => `${field} ${message}`).join("; ");
}
