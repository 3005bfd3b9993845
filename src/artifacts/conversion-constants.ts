import { InternalError } from "../diagnostics/internal-error.js";
import { ts } from "../naming/code.js";
import {
  arrowDoc,
  callDoc,
  objectDoc,
  printed,
  returnedObjectDoc,
  type Doc,
} from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { PropertyModel } from "../kinds/property-model.js";
import {
  objectIn,
  type ConversionModel,
  type MemberModel,
  type ValueModel,
} from "../model/conversion-model.js";
import { innerType } from "../model/leaves.js";
import { shownEntries, storedInside } from "./conversion-entries.js";
import { conversionName, isCompound, isSame, storedType } from "./shaped.js";
import { ofSchema } from "../naming/imported.js";
import type { ResourceModel } from "../model/resource-model.js";

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

/** Each member that is not the same in both, inner ones first. */
export function convertedMembers({ members }: ConversionModel): readonly MemberModel[] {
  return members.flatMap((member) => {
    if (isSame(member.value)) return [];
    const object = objectIn(member.value);
    return [...(object === null ? [] : convertedMembers(object)), member];
  });
}

/** The constant that converts a member. Another file uses that of a property that is converted to another version, too. */
export function constantOf(member: MemberModel, { entity, version }: ResourceModel): ConstantView {
  const { property, origin, value } = member;
  const name = conversionName(member);
  const stored = typeCode(origin, storedType(entity, typeNameOf(origin)));
  const shown = typeCode(property, ofSchema(`type ${typeNameOf(property)}`));
  const type = ts`: @VersionConversion<${stored}, ${shown}>`;
  const doc = ts`${docOf(value)} in \`${property.path as TsCode}\`.`;
  const keyword = origin.filled === null ? ts`const` : ts`export const`;
  const code = printed(valueDoc(value, property, version), {
    before: `${keyword} ${name}${type} = `,
    after: ";",
  });
  return { doc, keyword, name, type, value: code };
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
  version: string,
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
        valueDoc(value.item, { nullable: false }, version),
      ]);
    case "object": {
      const object = objectConversionDoc(value.object, version);
      return nullable ? callDoc(ts`@orNull`, [object]) : object;
    }
  }
}

function objectConversionDoc(object: ConversionModel, version: string): Doc {
  return objectDoc(
    [
      arrowDoc(ts`toShown: (stored)`, returnedObjectDoc(shownEntries(object.members, ts`stored`))),
      arrowDoc(
        needsStored(object) ? ts`toStored: (sent, stored)` : ts`toStored: (sent)`,
        returnedObjectDoc(storedInside(object, version)),
      ),
    ],
    true,
  );
}

/** A function of a file of conversions. */
export interface FunctionView {
  readonly doc: TsCode;
  readonly signature: TsCode;
  readonly returned: TsCode;
}

/** What a function returns, an entry a line. */
export function returnedCode(entries: readonly Doc[]): TsCode {
  return printed(objectDoc(entries, true), { indent: 2, before: "return ", after: ";" });
}

/** Says whether what is stored follows from what is sent and from what was stored before. */
export function needsStored({ members, stored }: ConversionModel): boolean {
  return stored.length > members.length || members.some(({ value }) => !isSame(value));
}

/** Says whether what is stored follows from what was shown as well. */
export function needsShown({ members }: ConversionModel): boolean {
  return members.some(({ value }) => isCompound(value));
}

/** The type of an enum, an object, or of the items of a list of those. */
function typeNameOf({ type }: PropertyModel): string {
  const inner = innerType(type);
  if (inner.kind !== "enum" && inner.kind !== "object") {
    throw new InternalError(`a ${inner.kind} is not converted`);
  }
  return inner.typeName;
}
