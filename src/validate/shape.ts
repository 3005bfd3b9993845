// Compiled by bin/compile-validators.js when the package is built, so there are no types to import.
import { resource, service } from "#compiled/validators";

/** An error of ajv: the parts that are used here. */
export interface ShapeError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Present if the error is about a key rather than a value. */
  readonly propertyName?: string;
  /** The schema that contains `keyword`. */
  readonly parentSchema: Readonly<Record<string, unknown>>;
  /** The value that was read. */
  readonly data: unknown;
}

interface CompiledValidator {
  (value: unknown): boolean;
  readonly errors?: readonly ShapeError[] | null;
}

/** Everything in which a value differs from schemas/service.schema.json. */
export function serviceShapeErrors(value: unknown): readonly ShapeError[] {
  return errorsOf(service, value);
}

/** Everything in which a value differs from schemas/resource.schema.json. */
export function resourceShapeErrors(value: unknown): readonly ShapeError[] {
  return errorsOf(resource, value);
}

function errorsOf(compiled: unknown, value: unknown): readonly ShapeError[] {
  // ajv's standalone code has this shape: https://ajv.js.org/standalone.html
  const validate = compiled as CompiledValidator;
  return validate(value) ? [] : (validate.errors ?? []);
}
