import { joined, pathText, ts, word } from "../naming/code.js";
import { constantName } from "../naming/constant-name.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { sha256 } from "../files/hash.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { innerType } from "../model/leaves.js";
import { insteadAt, storedNameOf, type Projection } from "../model/projection.js";
import { referencesOf } from "../model/references.js";
import { conversionsView } from "./conversions-view.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { signatureCode } from "./layout.js";
import { insteadCode } from "./instead-code.js";
import { WIDTH, flat, leastWidth, type Doc } from "../naming/doc.js";
import { embedsOthers, shownObjectsOf, type ShownObject } from "./nested.js";
import { upperFirst } from "../naming/resource-name.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { isShaped, storedType, valueNames, writtenType } from "./shaped.js";
import { ofSchema, withoutMarks } from "../naming/imported.js";
import { entityType, ofResource } from "./modules.js";
/** 48 bits. */
const SHAPE_CHARACTERS = 12;
/** Which values there may be says nothing about how one is shown. */
const WITHOUT_EFFECT: readonly string[] = ["values", "bounds"];

/** What `resource/serializer.ts.hbs` sees. */
export interface SerializerView extends HeaderView, ResourceNamesView {
  readonly signature: TsCode;
  /** What is shown instead of values of others that are embedded (VER-2). */
  readonly substitutes: readonly SubstituteView[];
  /** What is stored is converted first (VER-2). */
  readonly converts: boolean;
  readonly convert: TsCode;
  /** The concatenation that is returned. */
  readonly written: TsCode;
  readonly objects: readonly ObjectWriterView[];
  readonly inner: TsCode;
  /** Each member stands in a line of its own. */
  readonly pretty: boolean;
  /** Tags name the shape (OPS-10). */
  readonly showsRow: boolean;
  readonly shapeName: TsCode;
  readonly shape: TsCode;
}

interface SubstituteView {
  readonly path: TsCode;
  readonly constant: TsCode;
  readonly instead: TsCode;
}

interface ObjectWriterView {
  readonly signature: TsCode;
  /** Its members, or what they hold, are indented further. */
  readonly indented: boolean;
  /** It has more than one member, each in a line of its own. */
  readonly separated: boolean;
  readonly inner: TsCode;
  readonly written: TsCode;
}

/** How a resource is written as JSON, straight from its properties (REP-5). */
export function serializerView(resource: ResourceModel): SerializerView {
  const { name, properties, pretty } = resource;
  const projection = valueNames(resource);
  const objects = shownObjectsOf(properties);
  const variable = word(name.variable);
  const layout = layoutOf(pretty);
  const members = [
    layout.member(name.idProperty, ts`"\${${variable}.${word(name.idProperty)}}"`),
    ...properties.map((property) =>
      layout.member(property.name, valueOf(property, { holder: variable, projection })),
    ),
    ts`\${@jsonCommonFields(${variable}, inner)}`,
  ];
  const substitutes = substitutesOf(resource);
  const { entity } = resource;
  const [given, stored] = isShaped(resource)
    ? [ts`stored`, storedType(entity, entity.name.typeName)]
    : [variable, entityType(entity.name)];
  const layouts = {
    substitutes,
    inner: layout.inner,
    pretty,
    written: concatenated(layout, members),
    objects: objects.map(({ type }) => objectWriter(type, { pretty, projection })),
  };
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    ...layouts,
    showsRow: showsRowAlone(resource),
    shapeName: shapeName(resource),
    shape: literal(shapeOf(resource, layouts)),
    converts: isShaped(resource),
    convert: ofResource(resource, "conversions", `shown${name.typeName}`),
    signature: signatureCode(
      ts`export function write${word(name.typeName)}`,
      [ts`${given}: ${writtenType(resource, stored)}`, pretty ? ts`line = "\\n"` : ts`line = ""`],
      ts`string`,
    ),
  };
}

/** Says whether a body follows from the row and this file alone (OPS-10): nothing of other entities is embedded. */
export function showsRowAlone({ properties }: ResourceModel): boolean {
  return !embedsOthers({ properties });
}

/** The constant that names the shape: `ticketShape`. */
export function shapeName({ name }: ResourceModel): TsCode {
  return word(`${name.singular}Shape`);
}

/** OPS-10: another text for all that lays a row out in another way. */
function shapeOf(resource: ResourceModel, layouts: object): string {
  const shown = isShaped(resource) ? conversionsView(resource) : null;
  // A migration that changes how a value is stored, such as its scale, changes what is shown.
  const stored = resource.properties.map(({ type }) => kindOf(type).encoding(type));
  const parts = [layouts, shown?.conversions, shown?.functions, stored];
  const text = JSON.stringify(parts, (name, value: unknown) => {
    if (WITHOUT_EFFECT.includes(name)) return undefined;
    return typeof value === "string" ? withoutMarks(value) : value;
  });
  return sha256(text).slice(0, SHAPE_CHARACTERS);
}

/** How members are laid out: a line each, or none. */
interface Layout {
  /** What stands before the first member, before each other, and behind the last. */
  readonly open: TsCode;
  readonly next: TsCode;
  readonly close: TsCode;
  readonly inner: TsCode;
  member(name: string, value: TsCode): TsCode;
}

function layoutOf(pretty: boolean): Layout {
  const gap = pretty ? ts` ` : ts``;
  return {
    open: pretty ? ts`{\${inner}` : ts`{`,
    next: pretty ? ts`\${next}` : ts`,`,
    close: pretty ? ts`\${line}}` : ts`}`,
    inner: pretty ? ts`\`\${line}  \`` : ts`line`,
    member: (name, value) => ts`"${word(name)}":${gap}${value}`,
  };
}

/** One template literal where it fits, else a concatenation with an operand a line; the brace goes with the first. */
function concatenated({ open, next, close }: Layout, members: readonly TsCode[]): TsCode {
  const lead = (index: number): TsCode => (index === 0 ? open : next);
  const parts = [...members.map((member, index) => ts`${lead(index)}${member}`), close];
  const whole = ts`\`${joined(parts, "")}\``;
  if ("  return ;".length + leastWidth(whole) <= WIDTH) return whole;
  const operands = parts.map((part) => ts`\`${part}\``);
  const flat = joined(operands, " + ");
  // Without `return` and the semicolon there is room for one more column.
  const between = "    ".length + leastWidth(flat) <= WIDTH ? " + " : " +\n    ";
  return ts`(\n    ${joined(operands, between)}\n  )`;
}

function objectWriter(
  type: ShownObject,
  { pretty, projection }: Pick<ResourceModel, "pretty" | "projection">,
): ObjectWriterView {
  const layout = layoutOf(pretty);
  const members = type.properties.map((property) =>
    layout.member(property.name, valueOf(property, { holder: ts`value`, projection })),
  );
  const typeName = ofSchema(`type ${type.typeName}`);
  const indented = pretty || type.properties.some(({ type: held }) => isIndented(held));
  return {
    signature: signatureCode(
      ts`function write${word(type.localName)}`,
      [ts`value: ${typeName} | null`, indented ? ts`line: string` : ts`_line: string`],
      ts`string`,
    ),
    indented,
    separated: pretty && members.length > 1,
    inner: layout.inner,
    written: concatenated(layout, members),
  };
}

function isIndented(type: PropertyModel["type"]): boolean {
  const { kind } = innerType(type);
  return type.kind === "array" || kind === "object" || kind === "reference";
}

/** The value inside a template literal: `${quote(ticket.title)}`. */
function valueOf(property: PropertyModel, place: Place): TsCode {
  return ts`\${${flat(written(property, place))}}`;
}

/** The variable that holds a value, and what it is called there. */
interface Place {
  readonly holder: TsCode;
  readonly projection: Projection;
}

function written(property: PropertyModel, { holder, projection }: Place): Doc {
  const { path, type, nullable } = property;
  const stored = ts`${holder}.${word(storedNameOf(path, projection))}`;
  const isOther = path.includes(".") && insteadAt(path, projection).length > 0;
  if (!isOther) return kindOf(type).write(stored, type, nullable);
  const shown = ts`@insteadOf(${substituteName(property)}, ${stored})`;
  const whole = nullable ? ts`${stored} === null ? null : ${shown}` : shown;
  return kindOf(type).write(whole, type, nullable);
}

/** `customer.standing` -> `CUSTOMER_STANDING_INSTEAD` */
function substituteName({ path }: Pick<PropertyModel, "path">): TsCode {
  const names = path.split(".").map((name) => constantName(upperFirst(name)));
  return word(`${names.join("_")}_INSTEAD`);
}

/** Values of others that are embedded, and shown as others are. */
function substitutesOf(resource: ResourceModel): SubstituteView[] {
  const projection = valueNames(resource);
  return referencesOf(resource).flatMap(({ type }) =>
    type.embedded.flatMap((property) => {
      const instead = insteadAt(property.path, projection);
      if (instead.length === 0) return [];
      const constant = substituteName(property);
      return [{ path: pathText(property.path), constant, instead: insteadCode(instead) }];
    }),
  );
}
