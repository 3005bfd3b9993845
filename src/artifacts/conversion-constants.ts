import { InternalError } from "../diagnostics/internal-error.js";
import { ts, word } from "../naming/code.js";
import {
  arrowDoc,
  callDoc,
  objectDoc,
  printed,
  returnedObjectDoc,
  type Doc,
} from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { upperFirst } from "../naming/resource-name.js";
import type { PropertyModel } from "../kinds/property-model.js";
import {
  objectIn,
  type ConversionModel,
  type MemberModel,
  type PairSide,
  type ValueModel,
} from "../model/conversion-model.js";
import { innerType } from "../model/leaves.js";
import { asNewer, shownEntries, storedInside } from "./conversion-entries.js";
import { signatureCode } from "./layout.js";
import { shownPairCode, storedPairCodes } from "./pair-code.js";
import { conversionName, isCompound, isSame, storedType } from "./shaped.js";
import { ofSchema } from "../naming/imported.js";
import type { EntityModel } from "../model/entity-model.js";
import { ofResource } from "./modules.js";

/** A constant of a file of conversions. */
export interface ConstantView {
  readonly doc: TsCode;
  /** `const`, or `export const` for what other files use. */
  readonly keyword: TsCode;
  readonly name: TsCode;
  /** `: VersionConversion<StoredOrderStatus, OrderStatus>`; "" where the value says it. */
  readonly type: TsCode;
  readonly value: TsCode;
}

/** A member that a constant converts, and the versions whose own types it leads from and to. */
export interface ConvertedMember {
  readonly member: MemberModel;
  /** Null: what is stored. */
  readonly from: PairSide | null;
  /** Null: the resource's own. */
  readonly to: PairSide | null;
}

type Between = Omit<ConvertedMember, "member">;

/** Each member that is not the same in both, inner ones first. */
export function convertedMembers(
  { members, pairs }: ConversionModel,
  { from, to }: Between = { from: null, to: null },
): ConvertedMember[] {
  return [
    ...members.flatMap((member) => {
      const pair = pairs.find(({ name }) => name === member.pair);
      return withInner(member, { from: pair?.older ?? from, to });
    }),
    ...pairs.flatMap(({ newer, inNewer }) =>
      inNewer.flatMap((made) => withInner(asNewer(made), { from, to: newer })),
    ),
  ];
}

function withInner(member: MemberModel, between: Between): ConvertedMember[] {
  if (isSame(member.value)) return [];
  const object = objectIn(member.value);
  const inner = object === null ? [] : convertedMembers(object, between);
  return [...inner, { member, ...between }];
}

/** The constant that converts a member. */
export function constantOf(
  { member, from, to }: ConvertedMember,
  entity: EntityModel,
): ConstantView {
  const { property, origin, value } = member;
  const name = conversionName(member);
  const stored = typeCode(origin, typeFrom(origin, from, entity));
  const shown = typeCode(property, typeTo(property, to));
  const type = ts`: @VersionConversion<${stored}, ${shown}>`;
  const doc = ts`${docOf(value)} in \`${property.path as TsCode}\`.`;
  const code = printed(valueDoc(value, property, name), {
    before: `const ${name}${type} = `,
    after: ";",
  });
  return { doc, keyword: ts`const`, name, type, value: code };
}

/** The type of what is stored, `StoredOrderStatus` in a file of conversions; or that of another version: `V2OrderStatus`. */
function typeFrom(origin: PropertyModel, from: PairSide | null, entity: EntityModel): TsCode {
  return from === null ? storedType(entity, typeNameOf(origin)) : typeIn(from, origin);
}

/** The type of what is shown there. */
function typeTo(property: PropertyModel, to: PairSide | null): TsCode {
  return to === null ? ofSchema(`type ${typeNameOf(property)}`) : typeIn(to, property);
}

function typeIn({ plural, version }: PairSide, property: PropertyModel): TsCode {
  const typeName = typeNameOf(property);
  const called = upperFirst(version) + typeName;
  return ofResource({ name: { plural }, version }, "dto", `type ${typeName}`, called);
}

function docOf(value: ValueModel): TsCode {
  return objectIn(value) === null
    ? ts`The values shown instead of newer ones`
    : ts`The properties with other names, and those not shown,`;
}

/** `StoredOrderLine[]`, `OrderStatus | null` */
function typeCode({ type, nullable }: PropertyModel, name: TsCode): TsCode {
  if (type.kind === "array") return ts`${name}[]`;
  return nullable ? ts`${name} | null` : name;
}

function valueDoc(
  value: ValueModel,
  { nullable }: Pick<PropertyModel, "nullable">,
  name: TsCode,
): Doc {
  switch (value.kind) {
    case "same":
      throw new InternalError("a value that is the same is not converted");
    case "values": {
      const others = value.instead.map(
        ({ stored, shown }) => ts`${key(stored)}: ${literal(shown)}`,
      );
      const code = callDoc(ts`@shownInstead`, [objectDoc(others)]);
      return nullable ? callDoc(ts`@orNull`, [code]) : code;
    }
    case "items":
      return callDoc(value.isUnique ? ts`@uniqueItems` : ts`@items`, [
        valueDoc(value.item, { nullable: false }, name),
      ]);
    case "object": {
      const object = objectConversionDoc(value.object, name);
      return nullable ? callDoc(ts`@orNull`, [object]) : object;
    }
  }
}

/** Own code takes part in an object's conversion by functions of their own, which stand below. */
function objectConversionDoc(object: ConversionModel, name: TsCode): Doc {
  if (object.pairs.length > 0) {
    const { toShown, toStored } = functionNames(name);
    return objectDoc([ts`toShown: ${toShown}`, ts`toStored: ${toStored}`]);
  }
  return objectDoc(
    [
      arrowDoc(
        ts`toShown: (stored)`,
        returnedObjectDoc(shownEntries(object.members, ts`stored`, [])),
      ),
      arrowDoc(
        needsStored(object) ? ts`toStored: (sent, stored)` : ts`toStored: (sent)`,
        returnedObjectDoc(storedInside(object)),
      ),
    ],
    true,
  );
}

/** `boxConversion` -> `boxToShown`, `boxToStored` */
function functionNames(name: TsCode): { readonly toShown: TsCode; readonly toStored: TsCode } {
  const own = word(name.replace(/Conversion$/, ""));
  return { toShown: ts`${own}ToShown`, toStored: ts`${own}ToStored` };
}

/** A function of a file of conversions: what own code makes, and what is returned. */
export interface FunctionView {
  readonly doc: TsCode;
  readonly signature: TsCode;
  readonly pairs: readonly { readonly code: TsCode }[];
  readonly returned: TsCode;
}

/** The functions that convert an object inside of another, where own code takes part. */
export function functionsOf(
  { member, from, to }: ConvertedMember,
  entity: EntityModel,
): FunctionView[] {
  const { property, origin, value } = member;
  const object = objectIn(value);
  if (object === null || object.pairs.length === 0) return [];
  const { toShown, toStored } = functionNames(conversionName(member));
  const [stored, shown] = [typeFrom(origin, from, entity), typeTo(property, to)];
  const path = property.path as TsCode;
  return [
    {
      doc: ts`The shown properties of an object in \`${path}\`.`,
      signature: signatureCode(ts`function ${toShown}`, [ts`stored: ${stored}`], shown),
      pairs: object.pairs.map((pair) => ({ code: shownPairCode(pair, ts`stored`) })),
      returned: returnedCode(shownEntries(object.members, ts`stored`, object.pairs)),
    },
    {
      doc: ts`The stored form of an object sent in \`${path}\`.`,
      signature: signatureCode(
        ts`function ${toStored}`,
        [ts`sent: ${shown}`, ts`stored: ${stored} | null`],
        stored,
      ),
      pairs: storedPairCodes(object, true).map((code) => ({ code })),
      returned: returnedCode(storedInside(object)),
    },
  ];
}

/** What a function returns, an entry a line. */
export function returnedCode(entries: readonly Doc[]): TsCode {
  return printed(objectDoc(entries, true), { indent: 2, before: "return ", after: ";" });
}

/** Says whether what is stored follows from what is sent and from what was stored before. */
export function needsStored({ members, hidden, pairs }: ConversionModel): boolean {
  return hidden.length > 0 || pairs.length > 0 || members.some(({ value }) => !isSame(value));
}

/** Says whether what is stored follows from what was shown as well. */
export function needsShown({ members }: ConversionModel): boolean {
  return members.some(({ pair, value }) => pair === null && isCompound(value));
}

/** The type of an enum, an object, or of the items of a list of those. */
function typeNameOf({ type }: PropertyModel): string {
  const inner = innerType(type);
  if (inner.kind !== "enum" && inner.kind !== "object") {
    throw new InternalError(`a ${inner.kind} is not converted`);
  }
  return inner.typeName;
}
