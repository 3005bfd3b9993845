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
import type { PropertyModel } from "../kinds/property-model.js";
import type { MemberModel, ObjectConversion, ValueModel } from "../model/conversion-model.js";
import { innerType } from "../model/leaves.js";
import { shownEntries, storedEntries } from "./conversion-entries.js";
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

/** A constant for each member that is not the same in both, inner ones first. */
export function constantsOf(members: readonly MemberModel[]): ConstantView[] {
  return members.flatMap((member) => {
    const { property, origin, value } = member;
    if (isSame(value)) return [];
    const inner = objectIn(value);
    const name = conversionName(member);
    const type = ts`: Conversion<${typeCode(origin, "Stored")}, ${typeCode(property, "")}>`;
    const doc = ts`${docOf(value)} in \`${property.path as TsCode}\`.`;
    const code = printed(valueDoc(value, property), {
      before: `const ${name}${type} = `,
      after: ";",
    });
    const own = { doc, keyword: ts`const`, name, type, value: code };
    return [...(inner === null ? [] : constantsOf(inner.members)), own];
  });
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
function typeCode({ type, nullable }: PropertyModel, prefix: "Stored" | ""): TsCode {
  const inner = innerType(type);
  if (inner.kind !== "enum" && inner.kind !== "object") {
    throw new InternalError(`a ${inner.kind} is not converted`);
  }
  const name = word(prefix + inner.typeName);
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
            returnedObjectDoc(storedEntries(value.object, [])),
          ),
        ],
        true,
      );
      return nullable ? callDoc(ts`orNull`, [object]) : object;
    }
  }
}

/** Whether what is stored follows from what is sent and from what was stored before. */
function needsStored({ members, hidden }: ObjectConversion): boolean {
  return hidden.length > 0 || members.some(({ value }) => !isSame(value));
}

/** All that is converted by a constant, at every depth. */
export function convertedIn(members: readonly MemberModel[]): MemberModel[] {
  return members.flatMap((member) => {
    if (isSame(member.value)) return [];
    return [member, ...convertedIn(objectIn(member.value)?.members ?? [])];
  });
}

/** The type of an enum, an object, or of the items of a list of those. */
export function typeNameOf({ type }: PropertyModel): string {
  const inner = innerType(type);
  return "typeName" in inner ? inner.typeName : "";
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
