import { posix } from "node:path";
import type { IsGenerated } from "./compiler.js";
import type { OwnError } from "./own-errors.js";

/** An import that leads to no file, or to one without what is imported. */
const FAILED_IMPORTS: ReadonlySet<number> = new Set([2305, 2307, 2614, 2724]);
/** A parameter whose type nothing says. */
const WITHOUT_TYPE: ReadonlySet<number> = new Set([7006, 7019, 7031]);
const MISSING_EXPORT = /^Module '"([^"']+)"' has no exported member '([^']+)'/;

/** What a file of the user's own holds; null: there is none of that path. */
type ReadOwn = (path: string) => string | null;

/**
 * Errors without those that only follow from another one: a parameter has no type where the import that says it fails. What a
 * generated file does not find in a file of the user's own is told once, where it is missing.
 */
export function firstErrors(
  errors: readonly OwnError[],
  isGenerated: IsGenerated,
  readOwn: ReadOwn,
): readonly OwnError[] {
  const failing = new Set(
    errors.filter(({ number }) => FAILED_IMPORTS.has(number)).map(({ span }) => span.file),
  );
  const first = errors
    .filter(({ number, span }) => !WITHOUT_TYPE.has(number) || !failing.has(span.file))
    .map((error) =>
      isGenerated(error.span.file) ? (missingExport(error, readOwn) ?? error) : error,
    );
  const key = ({ span, message }: OwnError): string =>
    JSON.stringify([span.file, span.line, span.column, message]);
  return [...new Map(first.map((error) => [key(error), error])).values()];
}

function missingExport(error: OwnError, readOwn: ReadOwn): OwnError | null {
  const [, module = "", name = ""] = MISSING_EXPORT.exec(error.message) ?? [];
  const { file } = error.span;
  const path = posix.join(posix.dirname(file), module).replace(/\.js$/, ".ts");
  const source = name === "" ? null : readOwn(path);
  if (source === null) return null;
  const [line = ""] = source.split("\n");
  const span = { file: path, line: 1, column: 1, endLine: 1, endColumn: line.length + 1 };
  const message = `There is no export '${name}', which the generated code imports.`;
  return { ...error, span, source, message };
}
