import { ts, word } from "../naming/code.js";
import { arrayDoc, prefixed, type Doc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { call, scalarCode } from "../kinds/expression.js";
// First: the kinds know each other through it.
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import { listReader } from "../kinds/array/array-kind.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { holdsReferences, takesReferences } from "../kinds/reference/inner-references.js";
import { innerType, membersOf } from "../model/leaves.js";
import { storedNameOf, storedPathOf, type Projection } from "../model/projection.js";
import { isNested } from "../model/references.js";
import { callCode } from "./layout.js";
import { ofSchema } from "../naming/imported.js";

/** How a property's value is taken from the input: `title: input.read("title", ...)`. */
export interface InputView {
  readonly name: TsCode;
  readonly value: TsCode;
}

/** `readOnly` properties are never read from a body. */
export function writable(properties: readonly PropertyModel[]): PropertyModel[] {
  return properties.filter((property) => !property.readOnly);
}

/** `title: required(text({ maxLength: 200 }))` for an object's own properties; nested objects have a function instead. */
export function readerDocs(properties: readonly PropertyModel[], readBy: ReadBy): Doc[] {
  return withReader(properties, readBy).map((property) => {
    return prefixed(ts`${word(property.name)}: `, readerOf(property));
  });
}

function withReader(properties: readonly PropertyModel[], readBy: ReadBy): PropertyModel[] {
  const isOwn = ({ type }: PropertyModel): boolean => type.kind !== "object" && !isReferring(type);
  return readFor(properties, readBy).filter(isOwn);
}

/** Who has written what is read: clients alone, or the service's own code as well, which writes what clients only read (REP-9). */
export type ReadBy = "clients" | "everybody";

function readFor(properties: readonly PropertyModel[], readBy: ReadBy): readonly PropertyModel[] {
  return readBy === "everybody" ? properties : writable(properties);
}

/** Says whether it is read with what it refers to: a reference, a list of them, or of objects that hold some. */
function isReferring(type: PropertyModel["type"]): boolean {
  return type.kind !== "object" && takesReferences(type);
}

/** A reference is read with what it leads to, which was looked up before (REP-4). */
function referenceReader(property: PropertyModel, source: StoredSource): Doc {
  const { type, nullable } = property;
  const inner = innerType(type);
  if (type.kind === "array" && inner.kind === "object") {
    const read = ofSchema(`read${inner.localName}`);
    return listReader(call("referringObject", [read, ts`references`]), type);
  }
  const { projection, references = projection } = source;
  const resolved = resolvedCode(storedPathOf(property.path, references));
  if (type.kind === "array") return listReader(call("referenceItem", [resolved]), type);
  const stored = storedCode(property, source);
  // CHD-2: the path says which one it is.
  if (type.kind === "reference" && type.isParent) return call("parent", [resolved, stored]);
  const reader = call("reference", [resolved, stored]);
  const read = call(nullable ? "nullable" : "required", [reader]);
  return type.kind === "reference" && type.isPath ? call("inPath", [resolved, read]) : read;
}

/** `references.customer`, `references["lines.product"]` */
function resolvedCode(path: string): TsCode {
  return isNested(path) ? ts`references[${literal(path)}]` : ts`references.${word(path)}`;
}

/** The function that reads a nested object, given what its references lead to. */
function objectReaderCode(type: ObjectType, readBy: ReadBy): TsCode {
  const read = ofSchema(`read${type.localName}`);
  return isReadWithReferences(type, readBy)
    ? ts`(inner, before) => ${read}(inner, before, references)`
    : read;
}

/** Says whether the function that reads an object is given what references lead to. */
export function isReadWithReferences(type: ObjectType, readBy: ReadBy): boolean {
  return readBy === "everybody" ? holdsReferences(type) : takesReferences(type);
}

/** The kind's reader, and what it means that the value is missing (REP-2, REP-3, OPS-1). */
function readerOf({ type, nullable, default: preset }: PropertyModel): Doc {
  const reader = kindOf(type).reader(type);
  if (type.kind === "array") return reader;
  const whole = call(nullable ? "nullable" : "required", [reader]);
  return isScalar(preset) ? call("withDefault", [whole, scalarCode(preset)]) : whole;
}

/** Where the values of an object come from when a body is read. */
export interface InputSource {
  /** The constant that holds the readers. */
  readonly readers: TsCode;
  /** Nothing may be stored yet. */
  readonly isNew: boolean;
  readonly projection: Projection;
  /** What references are called that were looked up; left out: as all is called. */
  readonly references?: Projection;
  readonly readBy: ReadBy;
}

type StoredSource = Pick<InputSource, "isNew" | "projection" | "references">;

/** What a property becomes when a body is read. */
export function inputView(property: PropertyModel, source: InputSource): InputView {
  const { name, type, readOnly, immutable } = property;
  if (readOnly && source.readBy === "clients") return keptView(property, source);
  const stored = storedCode(property, source);
  const target = storedWord(property, source);
  const input = isKeptInside(property) ? ts`input.addedLater` : ts`input`;
  if (type.kind === "object") {
    const method = ts`${input}.${readOnly ? ts`readOnlyObject` : objectMethod(property)}`;
    return laidOut(target, method, [literal(name), objectReaderCode(type, source.readBy), stored]);
  }
  const method = immutable ? ts`immutable` : ts`read`;
  const read = isReferring(type)
    ? referenceReader(property, source)
    : ts`${source.readers}.${word(name)}`;
  const isSetOnce = immutable && type.kind === "reference";
  const identifier = isSetOnce ? [literal(type.identifier.name)] : [];
  if (readOnly) {
    return laidOut(target, ts`input.readOnly`, [literal(name), read, stored, unwritten(property)]);
  }
  const inner = innerType(type);
  const isWritten = type.kind === "array" && inner.kind === "object" && holdsWritten(inner);
  const written = isWritten ? unsentPaths(inner, source.projection) : [];
  const reader =
    written.length === 0
      ? read
      : call("keepingWritten", [read, stored, arrayDoc(written.map(literal))]);
  return laidOut(target, ts`${input}.${method}`, [literal(name), reader, stored, ...identifier]);
}

/** The paths of what only own code writes; where a list or an object holds some, of what is embedded there as well: clients send none of it. */
export function writtenPaths(
  properties: readonly PropertyModel[],
  projection: Projection,
): readonly string[] {
  return properties.flatMap(({ path, type, readOnly }) => {
    const name = storedNameOf(path, projection);
    if (readOnly) return [name];
    const inner = innerType(type);
    const isHolder = inner.kind === "object" && holdsWritten(inner);
    return isHolder ? unsentPaths(inner, projection).map((below) => `${name}.${below}`) : [];
  });
}

function holdsWritten({ properties }: ObjectType): boolean {
  return writtenPaths(properties, []).length > 0;
}

function unsentPaths(type: PropertyType, projection: Projection): readonly string[] {
  return membersOf(type).flatMap((member) => {
    const name = storedNameOf(member.path, projection);
    if (member.readOnly) return [name];
    return unsentPaths(innerType(member.type), projection).map((below) => `${name}.${below}`);
  });
}

function objectMethod({ nullable, immutable }: PropertyModel): TsCode {
  if (immutable) return nullable ? ts`immutableObject` : ts`requiredImmutableObject`;
  return nullable ? ts`object` : ts`requiredObject`;
}

/** OPS-4: a PUT empties what a nested object leaves out, but for what older clients cannot know. */
function isKeptInside({ addedLater, path }: PropertyModel): boolean {
  return addedLater && path.includes(".");
}

/** A property that no body changes: it stays as it is stored. */
export function keptView(property: PropertyModel, source: StoredSource): InputView {
  const name = storedWord(property, source);
  const stored = storedCode(property, source);
  if (!source.isNew) return { name, value: stored };
  const preset = unwritten(property);
  // What is stored may be null where a new one is not.
  const isEither = property.nullable && isScalar(property.default);
  const value = isEither
    ? ts`stored === null ? ${preset} : stored.${name}`
    : ts`${stored} ?? ${preset}`;
  return { name, value };
}

function storedCode(property: PropertyModel, source: StoredSource): TsCode {
  return ts`stored${source.isNew ? ts`?.` : ts`.`}${storedWord(property, source)}`;
}

function storedWord(
  { path }: PropertyModel,
  { projection }: Pick<StoredSource, "projection">,
): TsCode {
  return word(storedNameOf(path, projection));
}

function laidOut(name: TsCode, method: TsCode, parameters: readonly Doc[]): InputView {
  const around = { indent: 4, before: `${name}: `, after: "," };
  return { name, value: callCode(method, parameters, around) };
}

/** What a property holds that nobody has written yet. */
function unwritten({ type, default: preset }: PropertyModel): TsCode {
  if (isScalar(preset)) return scalarCode(preset);
  return type.kind === "array" ? ts`[]` : ts`null`;
}

function isScalar(value: PropertyModel["default"]): value is string | number | boolean {
  return value !== null && typeof value !== "object";
}
