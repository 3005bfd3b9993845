import { AsyncLocalStorage } from "node:async_hooks";

/** Follows what custom code begins, whether it awaits that or not. */
const running = new AsyncLocalStorage<string | undefined>();
/** Weak: an error can be frozen, and is kept for as long as somebody else keeps it. */
const throwers = new WeakMap<object, string>();

/**
 * Runs custom code under its name: `beforeCreate of orders`. What it throws, and what it forgets to await, is logged with
 * that name.
 */
export async function runCustom<T>(code: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await running.run(code, work);
  } catch (error) {
    throw noted(code, error);
  }
}

/** Runs custom code that returns at once. */
export function runCustomNow<T>(code: string, work: () => T): T {
  try {
    return running.run(code, work);
  } catch (error) {
    throw noted(code, error);
  }
}

/** A function that custom code calls to go on with the request: what follows is not custom code. */
export function runKernel<Given extends readonly unknown[]>(
  next: (...given: Given) => unknown,
): (...given: Given) => unknown {
  return (...given) => running.run(undefined, () => next(...given));
}

/** The custom code that threw an error; undefined: none did. Of code that calls other code, the one that threw first. */
export function throwerOf(error: unknown): string | undefined {
  return isObject(error) ? throwers.get(error) : undefined;
}

/** The custom code that began what is running now; undefined: none did. */
export function customCodeRunning(): string | undefined {
  return running.getStore();
}

/** What is thrown on: the very error, so that other custom code recognises it. */
function noted(code: string, error: unknown): unknown {
  if (!isReadable(error))
    return noted(code, new Error(`${code} threw a value that cannot be read`));
  if (!isObject(error)) return noted(code, new Error(`${code} threw ${String(error)}`));
  if (!throwers.has(error)) throwers.set(error, code);
  return error;
}

/** A proxy can refuse even to be asked what it is. */
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
