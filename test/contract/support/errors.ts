import { expect } from "vitest";
import type { Answer, Json, JsonObject } from "./client.js";

/** One element of an error body (contract 7.2). */
export interface ErrorElement {
  readonly type: string;
  readonly message: string;
  readonly description?: string;
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
}

/** Expects an error of the contract's form (ERR-1, REP-8) and returns its only element. */
export function expectError(answer: Answer, status: number, type: string): ErrorElement {
  expect({ status: answer.status, text: answer.text }).toEqual({
    status,
    text: expect.stringContaining(`"${type}"`),
  });
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.json).toEqual({ errors: [expect.objectContaining({ type })] });
  // The line above has seen that this is a list of one.
  const [element] = answer.json["errors"] as unknown as readonly [ErrorElement];
  expect(element.message).toMatch(/\S/);
  return element;
}

/** Expects a 400 that names exactly these fields, in any order (ERR-4); returns their messages by name. */
export function expectFields(
  answer: Answer,
  ...names: readonly string[]
): Readonly<Record<string, string>> {
  const { fields = [] } = expectError(answer, 400, "ValidationFailedMessage");
  expect(fields.map(({ field }) => field).sort()).toEqual([...names].sort());
  for (const { message } of fields) expect(message).toMatch(/\S/);
  return Object.fromEntries(fields.map(({ field, message }) => [field, message]));
}

/** The `results` of a collection (COL-1). */
export function resultsOf({ results }: JsonObject): readonly JsonObject[] {
  expect(results).toBeInstanceOf(Array);
  // Entities are objects, and what is not fails where it is looked at.
  return results as readonly JsonObject[];
}

/** The value at a dotted path: `deliveryAddress.place.floor`, `parts.0.label`. */
export function at(value: Json, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((inner, name) => {
    if (typeof inner !== "object" || inner === null) return undefined;
    // A list is an object whose names are its positions.
    return (inner as JsonObject)[name];
  }, value);
}
