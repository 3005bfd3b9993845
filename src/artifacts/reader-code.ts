import { joined, ts, word } from "../naming/code.js";
import {
  arrayDoc,
  arrowDoc,
  callDoc,
  flat,
  genericDoc,
  objectDoc,
  prefixed,
  printed,
  type Doc,
} from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { call, scalarCode } from "../kinds/expression.js";
// First: the kinds know each other through it.
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import { listReader } from "../kinds/array/array-kind.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { holdsReferences, takesReferences } from "../kinds/reference/inner-references.js";
import { innerType, membersOf } from "../model/leaves.js";
import { isFilledIn, isOlderSide } from "../model/own-pairs.js";
import { storedNameOf, storedPathOf, type Projection } from "../model/projection.js";
import { isNested } from "../model/references.js";
import { listEntry, objectCode } from "./layout.js";
import { ofSchema } from "../naming/imported.js";

/** A member of an object: `title: stored.title`. */
export interface MemberView {
  readonly name: TsCode;
  readonly value: TsCode;
}

/** `readOnly` properties are never read from a body. */
export function writable(properties: readonly PropertyModel[]): PropertyModel[] {
  return properties.filter((property) => !property.readOnly);
}

/** Whose values are read: those of clients alone, or also those of custom code, which writes read-only properties (REP-9). */
export type ReadBy = "clients" | "everybody";

/** Says whether it is read with what it refers to: a reference, a list of them, or of objects that hold some. */
function isReferring(type: PropertyModel["type"]): boolean {
  return type.kind !== "object" && takesReferences(type);
}

/** A reference is read with what it leads to, which was looked up before (REP-4). */
function referenceReader(property: PropertyModel, source: NameSource): Doc {
  const { type, nullable } = property;
  const inner = innerType(type);
  if (type.kind === "array" && inner.kind === "object") {
    const read = ofSchema(`read${inner.localName}`);
    return listReader(call("referringObject", [read, ts`references`]), type);
  }
  const { projection, references = projection } = source;
  const resolved = resolvedCode(storedPathOf(property.path, references));
  if (type.kind === "array") return listReader(call("referenceItem", [resolved]), type);
  // CHD-2: the path says which one it is.
  if (type.kind === "reference" && type.isParent) return call("parent", [resolved, STORED]);
  const reader = call("reference", [resolved, STORED]);
  const read = call(nullable ? "nullable" : "required", [reader]);
  return type.kind === "reference" && type.isPath ? call("inPath", [resolved, read]) : read;
}

const STORED = ts`stored`;

/** `references.customer`, `references["lines.product"]` */
function resolvedCode(path: string): TsCode {
  return isNested(path) ? ts`references[${literal(path)}]` : ts`references.${word(path)}`;
}

/** Says whether the table that reads an object is given what references lead to. */
function isReadWithReferences(type: ObjectType, readBy: ReadBy): boolean {
  return readBy === "everybody" ? holdsReferences(type) : takesReferences(type);
}

/** The kind's reader, and what it means that the value is missing (REP-2, REP-3, OPS-1). */
function readerOf({ type, nullable, default: preset }: PropertyModel): Doc {
  const reader = kindOf(type).reader(type);
  if (type.kind === "array") return reader;
  const whole = call(nullable ? "nullable" : "required", [reader]);
  return isScalar(preset) ? call("withDefault", [whole, scalarCode(preset)]) : whole;
}

/** What the properties of an object are called in bodies and in the store, and who writes them. */
export interface InputSource extends NameSource {
  readonly readBy: ReadBy;
  /** The type of what references lead to. */
  readonly resolved: TsCode;
  /** False: nothing is created by it; left out: something is. */
  readonly isNew?: boolean;
  /** The newest version no longer shows it (VER-2). */
  readonly isGone?: boolean;
}

interface NameSource {
  readonly projection: Projection;
  /** What references are called that were looked up; left out: as all is called. */
  readonly references?: Projection;
}

/** `title: property(required(text({ maxLength: 200 })))`, a property of what `readerOfObject` makes. */
export function propertyDoc(property: PropertyModel, source: InputSource): Doc {
  const { name, readOnly } = property;
  const target = storedWord(property, source);
  if (source.readBy === "everybody" && isOlderSide(property)) {
    return prefixed(ts`${target}: `, call("gone", [call("hidden", [])]));
  }
  const isKept = readOnly && source.readBy === "clients";
  const read = isKept ? keptDoc("kept", property, source.isNew) : sentDoc(property, source);
  const later = isReadLater(property) ? call("addedLater", [read]) : read;
  const shown = target === word(name) ? later : call("named", [literal(name), later]);
  return prefixed(ts`${target}: `, source.isGone === true ? call("gone", [shown]) : shown);
}

function sentDoc(property: PropertyModel, source: InputSource): Doc {
  const { type, readOnly, immutable } = property;
  if (type.kind === "object") {
    return call(objectFunction(property), [ofSchema(`read${type.localName}`)]);
  }
  const reader = readerDoc(property, source);
  if (readOnly) return besideReader("serviceWritten", reader, unwritten(property));
  if (!immutable) return call("property", [reader]);
  return type.kind === "reference"
    ? besideReader("immutable", reader, literal(type.identifier.name))
    : call("immutable", [reader]);
}

/** A call with an arrow function in one of several arguments has each on a line of its own. */
function besideReader(name: string, reader: Doc, other: TsCode): Doc {
  const isExpanded = flat(reader).includes("=>");
  return { ...callDoc(ts`@${word(name)}`, [reader, other]), isExpanded };
}

/** `required(text())`; `dependent(({ customer }, stored) => ...)` where it takes what references lead to, or what is stored. */
function readerDoc(property: PropertyModel, source: InputSource): Doc {
  const { type, readOnly } = property;
  const refers = isReferring(type);
  const read = refers ? referenceReader(property, source) : readerOf(property);
  const inner = innerType(type);
  const isWritten =
    !readOnly && type.kind === "array" && inner.kind === "object" && holdsWritten(inner);
  const written = isWritten ? unsentPaths(inner, source.projection) : [];
  const isKeeping = written.length > 0;
  if (!refers && !isKeeping) return read;
  const takesStored = isKeeping || type.kind === "reference";
  const head = refers ? ts`references` : ts`_references`;
  const paths = arrayDoc(written.map(literal));
  const made = isKeeping ? call("keepingWritten", [read, STORED, paths]) : read;
  return call("dependent", [arrowDoc(takesStored ? ts`(${head}, stored)` : ts`(${head})`, made)]);
}

/** OPS-4: a PUT clears the members that a nested object leaves out, except those that older clients cannot know. */
function isReadLater({ addedLater, readOnly, immutable, path }: PropertyModel): boolean {
  return addedLater && !readOnly && (path.includes(".") || !immutable);
}

/** A property of what is stored that a resource does not show (REP-7). */
export function hiddenDoc(
  property: PropertyModel,
  { isNew, version }: Pick<InputSource, "isNew"> & { readonly version: string },
): Doc {
  const isGiven = isNew !== false && !isFilledIn(property, version);
  return prefixed(ts`${word(property.name)}: `, keptDoc("hidden", property, isGiven));
}

function keptDoc(name: "hidden" | "kept", property: PropertyModel, isNew = true): Doc {
  return call(name, isNew ? [unwritten(property)] : []);
}

/** `const readItems = readerOfObject<OrderItems>({ ... });` */
export function objectReaderCode(type: ObjectType, source: InputSource, head = ts`const`): TsCode {
  const types = [
    ofSchema(`type ${type.typeName}`),
    ...(isReadWithReferences(type, source.readBy) ? [source.resolved] : []),
  ];
  const before = ts`${head} read${word(type.localName)} = `;
  const properties = type.properties.map((property) => propertyDoc(property, source));
  const made = flat(genericDoc(ts`@readerOfObject`, types));
  return ts`${before}${printed(callDoc(made, [objectDoc(properties, true)]), { before, after: ";" })};`;
}

/** What an entity is read by, as `readerOfEntity` takes it. */
interface ReaderParts {
  /** `export const orderReader = ` */
  readonly before: TsCode;
  readonly idProperty: string;
  readonly type: TsCode;
  readonly resolved: TsCode | null;
  readonly properties: readonly Doc[];
  readonly serviceWritten?: readonly string[];
  readonly parent?: string | null;
}

/** `export const orderReader = readerOfEntity<OrderProperties, ResolvedOrderReferences>({ ... });` */
export function entityReaderCode(parts: ReaderParts): TsCode {
  const { before, idProperty, properties, resolved, serviceWritten = [], parent = null } = parts;
  const types = [parts.type, ...(resolved === null ? [] : [resolved])];
  const made = ts`${before}${printed(genericDoc(ts`@readerOfEntity`, types), { before, after: "({" })}`;
  const entries = [
    ts`idProperty: ${literal(idProperty)}`,
    ...listEntry(ts`serviceWritten`, serviceWritten.map(literal)),
    ...(parent === null ? [] : [ts`parent: ${literal(parent)}`]),
    ts`properties: ${objectCode(properties, { indent: 2, expanded: true })}`,
  ];
  return ts`${made}({
  ${joined(entries, ",\n  ")},
});`;
}

/** The paths that only custom code writes; inside a list or an object with such paths also those of embedded values, which no client sends. */
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

function objectFunction({ nullable, immutable, readOnly }: PropertyModel): string {
  if (readOnly) return "serviceWrittenObject";
  if (immutable) return nullable ? "immutableObject" : "requiredImmutableObject";
  return nullable ? "nullableObject" : "requiredObject";
}

/** A property that no body changes: it stays as it is stored. */
export function keptView(
  property: PropertyModel,
  source: { readonly isNew: boolean; readonly projection: Projection },
): MemberView {
  const name = storedWord(property, source);
  const stored = ts`stored${source.isNew ? ts`?.` : ts`.`}${name}`;
  if (!source.isNew) return { name, value: stored };
  const preset = unwritten(property);
  // What is stored may be null where a new one is not.
  const isEither = property.nullable && isScalar(property.default);
  const value = isEither
    ? ts`stored === null ? ${preset} : stored.${name}`
    : ts`${stored} ?? ${preset}`;
  return { name, value };
}

function storedWord(
  { path }: PropertyModel,
  { projection }: Pick<NameSource, "projection">,
): TsCode {
  return word(storedNameOf(path, projection));
}

/** The value of a property before anybody has written it. */
function unwritten({ type, default: preset }: PropertyModel): TsCode {
  if (isScalar(preset)) return scalarCode(preset);
  return type.kind === "array" ? ts`[]` : ts`null`;
}

function isScalar(value: PropertyModel["default"]): value is string | number | boolean {
  return value !== null && typeof value !== "object";
}
