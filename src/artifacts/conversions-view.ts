import { joined, ts, word } from "../naming/code.js";
import {
  arrowDoc,
  callDoc,
  objectDoc,
  prefixed,
  printed,
  returnedObjectDoc,
  type Doc,
} from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { upperFirst } from "../naming/resource-name.js";
import { InternalError } from "../diagnostics/internal-error.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type {
  ConversionModel,
  MemberModel,
  ObjectConversion,
  PairModel,
  ValueModel,
} from "../model/conversion-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { innerType } from "../model/leaves.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { importCode, signatureCode, type Import } from "./layout.js";
import { besideModule } from "./modules.js";
import { keptView } from "./reader-view.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import {
  conversionName,
  isSame,
  isShaped,
  pairExport,
  pairFile,
  stateConversion,
  storedImport,
  type Converted,
} from "./shaped.js";

/** What `resource/conversions.ts.hbs` sees. */
export interface ConversionsView extends HeaderView, ResourceNamesView {
  readonly imports: TsCode;
  readonly version: TsCode;
  readonly conversions: readonly ConstantView[];
  readonly shownSignature: TsCode;
  readonly shownPairs: readonly { readonly code: TsCode }[];
  readonly shown: TsCode;
  readonly storedSignature: TsCode;
  readonly storedPairs: readonly { readonly code: TsCode }[];
  readonly stored: TsCode;
}

interface ConstantView {
  readonly doc: TsCode;
  /** `const`, or `export const` for what other files use. */
  readonly keyword: TsCode;
  readonly name: TsCode;
  /** `: Conversion<StoredOrderStatus, OrderStatus>`; "" where the value says it. */
  readonly type: TsCode;
  readonly value: TsCode;
}

/** How an older version's properties follow from what is stored, and what is stored of what it sends (VER-2). */
export function conversionsView(resource: ResourceModel): ConversionsView {
  if (!isShaped(resource)) throw new InternalError(`${resource.source} converts nothing`);
  const { name, conversion, version } = resource;
  const { variable, typeName } = name;
  const { pairs, members } = conversion;
  const used = stateConversion(resource);
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    imports: imports(resource),
    version: word(version),
    conversions: [
      ...pairs.map((pair) => pairView(resource, pair)),
      ...constantsOf([...members, ...pairs.flatMap(({ inNewer }) => inNewer.map(asNewer))]).map(
        (constant) =>
          constant.name === used ? { ...constant, keyword: ts`export const` } : constant,
      ),
    ],
    shownSignature: signatureCode(
      ts`export function shown${word(typeName)}`,
      [ts`${word(variable)}: ${storedName(resource.entity.name.typeName)}`],
      word(typeName),
    ),
    shownPairs: pairs.map((pair) => ({ code: shownPairCode(pair, word(variable)) })),
    shown: shownCode(resource),
    storedSignature: signatureCode(
      ts`export function stored${word(typeName)}`,
      [
        ts`sent: ${word(typeName)}Properties`,
        ts`stored: ${storedName(resource.entity.name.typeName)} | null`,
      ],
      storedName(`${resource.entity.name.typeName}Properties`),
    ),
    storedPairs: storedPairCodes(conversion).map((code) => ({ code })),
    stored: storedCode(resource),
  };
}

function storedName(typeName: string): TsCode {
  return word(`Stored${typeName}`);
}

/** What the newer side of a pair is made of has a name beside those of the older version. */
function asNewer(member: MemberModel): MemberModel {
  const { property } = member;
  const path = `newer${upperFirst(property.path)}`;
  return { ...member, property: { ...property, path } };
}

/** `const v1ToV2 = convertedPair(customersV1ToV2, "src/custom/conversions/customers-v1-to-v2.ts");` */
function pairView(resource: Converted, pair: PairModel): ConstantView {
  const before = `const ${pair.name} = `;
  const given = [word(pairExport(resource, pair)), literal(pairFile(resource, pair))];
  const names = pair.inOlder.map(({ property }) => ts`\`${word(property.name)}\``);
  return {
    doc: ts`${joined(names, ", ")}: what the service's own code converts from ${word(pair.older)} to ${word(pair.newer)} and back.`,
    keyword: ts`const`,
    name: word(pair.name),
    type: ts``,
    value: printed(callDoc(ts`convertedPair`, given), { before, after: ";" }),
  };
}

/** A constant for each member that is not the same in both, inner ones first. */
function constantsOf(members: readonly MemberModel[]): ConstantView[] {
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
            ts`toStored: (sent, stored)`,
            returnedObjectDoc(storedEntries(value.object, [])),
          ),
        ],
        true,
      );
      return nullable ? callDoc(ts`orNull`, [object]) : object;
    }
  }
}

/** `status: statusConversion.toShown(order.status)` */
function shownEntries(
  members: readonly MemberModel[],
  holder: TsCode,
  pairs: readonly PairModel[] = [],
): Doc[] {
  return members.map((member) => {
    const { property, origin, pair } = member;
    const made = pairs.find(({ name }) => name === pair);
    const from = ts`${made === undefined ? holder : inVersion(made.older)}.${word(origin.name)}`;
    return prefixed(ts`${word(property.name)}: `, shownValue(member, from));
  });
}

/** The variable that holds what a pair gives for a version: `inV1`. */
function inVersion(version: string): TsCode {
  return word(`in${upperFirst(version)}`);
}

function shownValue(member: MemberModel, from: TsCode): Doc {
  return isSame(member.value) ? from : callDoc(ts`${conversionName(member)}.toShown`, [from]);
}

/** Everything that is stored, in its order. */
function storedEntries(
  { members, hidden }: ObjectConversion,
  pairs: readonly PairModel[],
  order: readonly PropertyModel[] = originsOf(members, hidden),
  initial: Initial | null = null,
): Doc[] {
  return order.map((origin) => {
    const name = word(origin.name);
    const shown = members.find((one) => one.pair === null && one.origin.name === origin.name);
    if (shown !== undefined) {
      const before = initial?.property === origin.name ? literal(initial.state) : ts`null`;
      return prefixed(
        ts`${name}: `,
        storedValue(shown, ts`sent.${word(shown.property.name)}`, before),
      );
    }
    for (const pair of pairs) {
      const made = pair.inNewer.find((one) => one.origin.name === origin.name);
      if (made === undefined) continue;
      const from = ts`${inVersion(pair.newer)}.${word(made.property.name)}`;
      return prefixed(ts`${name}: `, storedValue(asNewer(made), from, ts`null`));
    }
    const kept = keptView(origin, { isNew: true, projection: [] });
    return ts`${kept.name}: ${kept.value}`;
  });
}

function originsOf(
  members: readonly MemberModel[],
  hidden: readonly PropertyModel[],
): readonly PropertyModel[] {
  return [...members.map(({ origin }) => origin), ...hidden];
}

/** What an entity is before it is stored for the first time (STA-1). */
interface Initial {
  readonly property: string;
  readonly state: string;
}

function storedValue(member: MemberModel, from: TsCode, before: TsCode): Doc {
  if (isSame(member.value)) return from;
  const stored = ts`stored?.${word(member.origin.name)} ?? ${before}`;
  return callDoc(ts`${conversionName(member)}.toStored`, [from, stored]);
}

function shownCode({ name, conversion, entity }: Converted): TsCode {
  const holder = word(name.variable);
  const common = ["createdDate", "createdSubject", "lastModifiedDate", "lastModifiedSubject"];
  const id = word(entity.name.idProperty);
  const entries = [
    ts`${id}: ${holder}.${id}`,
    ...shownEntries(conversion.members, holder, conversion.pairs),
    ...common.map((field) => ts`${word(field)}: ${holder}.${word(field)}`),
  ];
  return printed(objectDoc(entries, true), { indent: 2, before: "return ", after: ";" });
}

function storedCode({ conversion, entity }: Converted): TsCode {
  const { states, properties } = entity;
  const initial = states && { property: states.property, state: states.initial };
  const entries = storedEntries(conversion, conversion.pairs, properties, initial);
  return printed(objectDoc(entries, true), { indent: 2, before: "return ", after: ";" });
}

/** `const inV1 = v1ToV2.toShown({ firstName: customer.firstName });` */
function shownPairCode(pair: PairModel, holder: TsCode): TsCode {
  const head = ts`const ${inVersion(pair.older)} = `;
  const entries = pair.inNewer.map(asNewer).map((member, index) => {
    const own = word(pair.inNewer[index]?.property.name ?? "");
    return prefixed(ts`${own}: `, shownValue(member, ts`${holder}.${word(member.origin.name)}`));
  });
  const call = callDoc(ts`${word(pair.name)}.toShown`, [objectDoc(entries)]);
  return ts`${head}${printed(call, { indent: 2, before: head, after: ";" })};`;
}

/** What the newer properties are that are stored: as they were, where they are sent back as they were shown. */
function storedPairCodes({ pairs }: ConversionModel): TsCode[] {
  return pairs.flatMap((pair) => {
    const isWhole = pair.inOlder.every(({ shown }) => shown !== null);
    const before = word(`shown${upperFirst(pair.older)}`);
    const entries = pair.inNewer.map(asNewer).map((member, index) => {
      const own = word(pair.inNewer[index]?.property.name ?? "");
      return prefixed(ts`${own}: `, shownValue(member, ts`stored.${word(member.origin.name)}`));
    });
    const whole = objectDoc(entries);
    const sent = pair.inOlder.map(({ property, shown }) =>
      shown === null
        ? ts`${word(property.name)}: ${hiddenPart(property, before)}`
        : ts`${word(property.name)}: sent.${word(shown)}`,
    );
    const head = ts`const ${inVersion(pair.newer)} = `;
    const call = callDoc(ts`${word(pair.name)}.toStored`, [
      objectDoc(sent),
      prefixed(ts`stored && `, whole),
    ]);
    const shownFirst = ts`const ${before} = stored && `;
    const first = callDoc(ts`${word(pair.name)}.toShown`, [whole]);
    return [
      ...(isWhole
        ? []
        : [ts`${shownFirst}${printed(first, { indent: 2, before: shownFirst, after: ";" })};`]),
      ts`${head}${printed(call, { indent: 2, before: head, after: ";" })};`,
    ];
  });
}

/** A part of a pair that a representation does not show is as it was. */
function hiddenPart(property: PropertyModel, before: TsCode): TsCode {
  const { value } = keptView(property, { isNew: true, projection: [] });
  return value.replaceAll("stored", before) as TsCode;
}

function imports(resource: Converted): TsCode {
  const { conversion, name, entity } = resource;
  const { pairs } = conversion;
  const members = [...conversion.members, ...pairs.flatMap(({ inNewer }) => inNewer)];
  const converted = convertedIn(members);
  const types = (side: "origin" | "property"): string[] =>
    converted.map((member) => typeNameOf(member[side]));
  const uses = converted.flatMap(({ value, property }) => usesOf(value, property));
  return importCode([
    {
      from: "../../kernel/entity/conversions.js",
      names: [
        ...uses,
        ...(converted.length > 0 ? ["type Conversion"] : []),
        ...(pairs.length > 0 ? ["convertedPair"] : []),
      ],
    },
    storedImport(resource, [
      entity.name.typeName,
      `${entity.name.typeName}Properties`,
      ...types("origin"),
    ]),
    ...pairs.map((pair): Import => {
      const file = pairFile(resource, pair)
        .replace(/^src\//, "../../../")
        .replace(/\.ts$/, ".js");
      return { from: file, names: [pairExport(resource, pair)] };
    }),
    {
      from: besideModule(resource, "shape"),
      names: [name.typeName, `${name.typeName}Properties`, ...types("property")].map(
        (type) => `type ${type}`,
      ),
    },
  ]);
}

/** All that is converted by a constant, at every depth. */
function convertedIn(members: readonly MemberModel[]): MemberModel[] {
  return members.flatMap((member) => {
    if (isSame(member.value)) return [];
    return [member, ...convertedIn(objectIn(member.value)?.members ?? [])];
  });
}

function typeNameOf({ type }: PropertyModel): string {
  const inner = innerType(type);
  return "typeName" in inner ? inner.typeName : "";
}

function usesOf(value: ValueModel, { nullable, type }: PropertyModel): string[] {
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
