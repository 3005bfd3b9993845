import { resolve } from "node:path";
import { failure, success, type Result } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import type { PropertyModel, Value } from "../kinds/property-model.js";
import { loadSource } from "../load/load-source.js";
import type { ResourceModel } from "../model/resource-model.js";
import { originalOf } from "../model/original-of.js";
import { seenBy } from "../model/seen-by.js";
import { isList, isObject, type Json, type JsonObject } from "../samples/json.js";
import type { Make, MadeValues, ResourceSamples, Samples } from "../verify/samples.js";
import { checkSamples } from "./check-samples.js";
import type { Environment } from "./environment.js";
import type { ReadModel } from "./read-model.js";
import { UsageError } from "./usage-error.js";

/** Reads what `verify` is to send: values by the plurals of resources, or by `v1/plural`. Throws `UsageError` where there is no such file. */
export function readSamples(
  { files, root }: Pick<Environment, "files" | "root">,
  path: string,
  read: SampledProject["read"],
): Result<Samples> {
  const text = textOf(files, resolve(root, path), path);
  return samplesIn({ path, text, functions: {} }, { files, root, read });
}

/** The project that samples are of. */
interface SampledProject extends Pick<Environment, "files" | "root"> {
  readonly read: Pick<ReadModel, "model" | "documents">;
}

/** A text of samples, and the functions that stand beside it. */
interface SamplesText {
  readonly path: string;
  readonly text: string;
  readonly functions: SampleFunctions;
}

function samplesIn(
  { path, text, functions }: SamplesText,
  { files, root, read: { model, documents } }: SampledProject,
): Result<Samples> {
  const given = new Map([[path, text]]);
  const loaded = loadSource({ files, root, cached: () => undefined, given }, path);
  if (loaded.document === null) return failure(loaded.diagnostics);
  const resources = model.versions.flatMap((version) => seenBy(version).resources);
  const checked = checkSamples(loaded.document, { resources, documents, limits: model.limits });
  const diagnostics = [...loaded.diagnostics, ...checked];
  if (diagnostics.some(({ severity }) => severity === "error")) return failure(diagnostics);
  // The check has found JSON by property by resource.
  const values = loaded.document.value as Readonly<Record<string, JsonObject>>;
  const samples = resources.map((one) => {
    const own = withoutState(one, samplesFor(one, values, resources));
    return [one.path, { ...own, made: madeFor(one, functions) }] as const;
  });
  return success(new Map(samples), diagnostics);
}

/** What a module of samples exports: values by resource, and functions that make them. */
export function moduleSamples(
  path: string,
  given: object,
  project: SampledProject,
): Result<Samples> {
  const entries = Object.entries(given) as [string, unknown][];
  const isFunction = ([, value]: [string, unknown]): boolean => typeof value === "function";
  // The name of a function's resource is checked as that of others.
  const values = entries.map((entry) => [entry[0], isFunction(entry) ? {} : entry[1]]);
  const functions = Object.fromEntries(entries.filter(isFunction)) as SampleFunctions;
  return samplesIn({ path, text: JSON.stringify(Object.fromEntries(values)), functions }, project);
}

/** Functions of samples, by the names of resources. */
type SampleFunctions = Readonly<
  Record<string, (make: Make, turn: number) => JsonObject | Promise<JsonObject>>
>;

/** The function for a resource, whose values are told as the service shows them. */
function madeFor(resource: ResourceModel, functions: SampleFunctions): MadeValues | null {
  const { name, properties, version } = resource;
  const made = functions[`${version}/${name.plural}`] ?? functions[name.plural];
  if (made === undefined) return null;
  return async (make, turn) => {
    const values: unknown = await made(make, turn);
    if (!isObject(values)) throw new Error("it does not return an object");
    const settable = properties.filter(({ readOnly }) => !readOnly);
    const unknown = Object.keys(values).find((key) => !settable.some((one) => one.name === key));
    if (unknown !== undefined)
      throw new Error(`${JSON.stringify(unknown)} is not a property that a client sets`);
    const known = properties.filter((property) => Object.hasOwn(values, property.name));
    return Object.fromEntries(known.map((one) => [one.name, wholeMember(values[one.name], one)]));
  };
}

/** New entities begin in their initial state; what others refer to is led to another one. */
function withoutState({ entity }: ResourceModel, given: JsonObject): Omit<ResourceSamples, "made"> {
  const { property = "", initial = "" } = entity.states ?? {};
  const { [property]: state, ...values } = given;
  return { values, state: typeof state === "string" && state !== initial ? state : null };
}

function textOf(files: FileSystem, file: string, path: string): string {
  const isThere = files.exists(file) && files.lstat(files.realPath(file))?.kind === "file";
  if (isThere) return files.readText(file);
  throw new UsageError(`There is no file ${path} (--samples).`);
}

/** What is given for a resource in every version and in its own; a representation has what it shows of its original's as well. */
function samplesFor(
  resource: ResourceModel,
  values: Readonly<Record<string, JsonObject>>,
  resources: readonly ResourceModel[],
): JsonObject {
  const { name, version, projection, properties } = resource;
  const given = { ...values[name.plural], ...values[`${version}/${name.plural}`] };
  const own = properties
    .filter((property) => Object.hasOwn(given, property.name))
    .map((property) => [property.name, wholeMember(given[property.name], property)] as const);
  const original = originalOf(resource, resources);
  if (original === undefined || original === resource) return Object.fromEntries(own);
  const above = samplesFor(original, values, resources);
  const shown = projection
    .filter(({ storedPath }) => Object.hasOwn(above, storedPath))
    .map(({ property, storedPath }) => [property, above[storedPath] ?? null] as const);
  return Object.fromEntries([...shown, ...own]);
}

/** A value as the service shows it: in the one form of its kind, and with what an object leaves out. */
function wholeValue(value: Json, type: PropertyType): Json {
  if (isList(value) && type.kind === "array")
    return value.map((item) => wholeValue(item, type.items));
  if (isObject(value) && type.kind === "object") {
    const settable = type.properties.filter(({ readOnly }) => !readOnly);
    return Object.fromEntries(
      settable.map((one) => {
        const isSaid = Object.hasOwn(value, one.name);
        return [one.name, wholeMember(isSaid ? value[one.name] : undefined, one)] as const;
      }),
    );
  }
  // Null has one form only.
  return value === null ? null : (kindOf(type).normaliseValue(value as Value, type) as Json);
}

function wholeMember(value: Json | undefined, { type, default: usual }: PropertyModel): Json {
  // A default of the schema is JSON.
  const held = value === undefined ? (usual as Json) : value;
  return held === null && type.kind === "array" ? [] : wholeValue(held, type);
}
