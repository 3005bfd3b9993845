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
import type {
  ConversionModel,
  MemberModel,
  ObjectConversion,
  ValueModel,
} from "../model/conversion-model.js";
import { innerType } from "../model/leaves.js";
import { asNewer, shownEntries, storedInside } from "./conversion-entries.js";
import { conversionName, isSame } from "./shaped.js";

/** A constant of a file of conversions. */
export interface ConstantView {
  readonly doc: TsCode;
  /** `const`, or `export const` for what other files use. */
  readonly keyword: TsCode;
  readonly name: TsCode;
  /** `: Conversion<StoredOrderStatus, OrderStatus>`; "" where the value says it. */
  readonly type: TsCode;
  readonly value: TsCode;
}

/** A member that a constant converts, and the versions whose own types it leads from and to. */
export interface ConvertedMember {
  readonly member: MemberModel;
  /** Null: what is stored. */
  readonly from: string | null;
  /** Null: the resource's own. */
  readonly to: string | null;
}

/** Each member that is not the same in both, inner ones first. */
export function convertedMembers({ members, pairs }: ConversionModel): ConvertedMember[] {
  return [
    ...members.flatMap((member) => {
      const pair = pairs.find(({ name }) => name === member.pair);
      return convertedIn({ member, from: pair?.older ?? null, to: null });
    }),
    ...pairs.flatMap(({ newer, inNewer }) =>
      inNewer.flatMap((made) => convertedIn({ member: asNewer(made), from: null, to: newer })),
    ),
  ];
}

function convertedIn({ member, ...versions }: ConvertedMember): ConvertedMember[] {
  if (isSame(member.value)) return [];
  const inner = objectIn(member.value)?.members ?? [];
  return [
    ...inner.flatMap((one) => convertedIn({ member: one, ...versions })),
    { member, ...versions },
  ];
}

/** The constant that converts a member. */
export function constantOf({ member, from, to }: ConvertedMember): ConstantView {
  const { property, origin, value } = member;
  const name = conversionName(member);
  const [stored, shown] = [storedTypeName(origin, from), shownTypeName(property, to)];
  const type = ts`: Conversion<${typeCode(origin, stored)}, ${typeCode(property, shown)}>`;
  const doc = ts`${docOf(value)} in \`${property.path as TsCode}\`.`;
  const code = printed(valueDoc(value, property), {
    before: `const ${name}${type} = `,
    after: ";",
  });
  return { doc, keyword: ts`const`, name, type, value: code };
}

/** What the type of what is stored is called in a file of conversions, or that of another version: `V2OrderStatus`. */
export function storedTypeName(origin: PropertyModel, version: string | null): string {
  return (version === null ? "Stored" : upperFirst(version)) + typeNameOf(origin);
}

/** What the type of what is shown is called there. */
export function shownTypeName(property: PropertyModel, version: string | null): string {
  return (version === null ? "" : upperFirst(version)) + typeNameOf(property);
}

function docOf(value: ValueModel): TsCode {
  return objectIn(value) === null
    ? ts`What is shown instead of newer values`
    : ts`What is called otherwise, or is not shown,`;
}

function objectIn(value: ValueModel): ObjectConversion | null {
  if (value.kind === "items") return objectIn(value.item);
  return value.kind === "object" ? value.object : null;
}

/** `StoredOrderLine[]`, `OrderStatus | null` */
function typeCode({ type, nullable }: PropertyModel, typeName: string): TsCode {
  const name = word(typeName);
  if (type.kind === "array") return ts`${name}[]`;
  return nullable ? ts`${name} | null` : name;
}

function valueDoc(value: ValueModel, { nullable }: Pick<PropertyModel, "nullable">): Doc {
  switch (value.kind) {
    case "same":
      throw new InternalError("a value that is the same is not converted");
    case "values": {
      const others = value.instead.map(
        ({ stored, shown }) => ts`${key(stored)}: ${literal(shown)}`,
      );
      const code = callDoc(ts`shownInstead`, [objectDoc(others)]);
      return nullable ? callDoc(ts`orNull`, [code]) : code;
    }
    case "items":
      return callDoc(value.isUnique ? ts`uniqueItems` : ts`items`, [
        valueDoc(value.item, { nullable: false }),
      ]);
    case "object": {
      const object = objectDoc(
        [
          arrowDoc(
            ts`toShown: (stored)`,
            returnedObjectDoc(shownEntries(value.object.members, ts`stored`)),
          ),
          arrowDoc(
            needsStored(value.object) ? ts`toStored: (sent, stored)` : ts`toStored: (sent)`,
            returnedObjectDoc(storedInside(value.object)),
          ),
        ],
        true,
      );
      return nullable ? callDoc(ts`orNull`, [object]) : object;
    }
  }
}

/** Says whether what is stored follows from what is sent and from what was stored before. */
export function needsStored({
  members,
  hidden,
  pairs = [],
}: ObjectConversion & Partial<ConversionModel>): boolean {
  return hidden.length > 0 || pairs.length > 0 || members.some(({ value }) => !isSame(value));
}

/** The type of an enum, an object, or of the items of a list of those. */
export function typeNameOf({ type }: PropertyModel): string {
  const inner = innerType(type);
  if (inner.kind !== "enum" && inner.kind !== "object") {
    throw new InternalError(`a ${inner.kind} is not converted`);
  }
  return inner.typeName;
}

/** The functions of the kernel that convert a value. */
export function usesOf(value: ValueModel, { nullable, type }: PropertyModel): string[] {
  const own = nullable && type.kind !== "array" ? ["orNull"] : [];
  if (value.kind === "values") return ["shownInstead", ...own];
  if (value.kind === "items") {
    return [
      value.isUnique ? "uniqueItems" : "items",
      ...(value.item.kind === "values" ? ["shownInstead"] : []),
    ];
  }
  return own;
}

/** The module of the kernel that exports one of them. */
export function conversionModule(name: string): string {
  return `../../kernel/entity/${MODULES[name] ?? name}.js`;
}

const MODULES: Readonly<Record<string, string>> = {
  items: "item-conversion",
  orNull: "or-null",
  shownInstead: "shown-instead",
  uniqueItems: "unique-items",
};
