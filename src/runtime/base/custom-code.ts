import { AsyncLocalStorage } from "node:async_hooks";

import { type FieldIssue, ERROR_TYPES, errorOf, type ApiError } from "./errors.js";

/** The name of the custom code that started the current work, awaited or not. */
const running = new AsyncLocalStorage<string | undefined>();
/** An error can be frozen, so the name is not stored in it. */
const throwers = new WeakMap<object, string>();

/** Runs custom code under a name, such as `beforeCreate of orders`, which appears in the log with its errors. */
export async function runCustom<T>(code: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await running.run(code, work);
  } catch (error) {
    throw withThrower(code, error);
  }
}

/** `runCustom` for synchronous code. */
export function runCustomNow<T>(code: string, work: () => T): T {
  try {
    return running.run(code, work);
  } catch (error) {
    throw withThrower(code, error);
  }
}

/** Wraps a callback of custom code that continues the request, which is not custom code. */
export function runOutsideCustomCode<Given extends readonly unknown[]>(
  next: (...given: Given) => unknown,
): (...given: Given) => unknown {
  return (...given) => running.run(undefined, () => next(...given));
}

/** The custom code that threw an error first, if any did. */
export function throwerOf(error: unknown): string | undefined {
  return isObject(error) ? throwers.get(error) : undefined;
}

/** The custom code that started the current work, if any did. */
export function customCodeRunning(): string | undefined {
  return running.getStore();
}

/** Returns the same error, which other custom code may compare. */
function withThrower(code: string, error: unknown): unknown {
  if (!isReadable(error))
    return withThrower(code, new Error(`${code} threw a value that cannot be read`));
  if (!isObject(error)) return withThrower(code, new Error(`${code} threw ${String(error)}`));
  if (!throwers.has(error)) throwers.set(error, code);
  return error;
}

/** `instanceof` throws for some proxies. */
function isReadable(error: unknown): boolean {
  try {
    return error instanceof Object || true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Custom code broke a rule (REP-9): nothing is stored, the response is 500, and the log names the code and the properties. */
export class OwnCodeFault extends Error {
  override readonly name = "OwnCodeFault";

  constructor(
    /** `beforeCreate of orders` */
    readonly code: string,
    readonly fields: readonly FieldIssue[],
  ) {
    const faults = fields.map(({ field, message }) => `${field} ${message}`);
    super(`${code} breaks a rule: ${faults.join("; ")}`);
  }
}

/** 501: custom code does not implement the action yet (OPS-11). */
export function notWritten(): ApiError {
  return errorOf(ERROR_TYPES.notWritten);
}
