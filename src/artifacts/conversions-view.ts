import { ts, word } from "../naming/code.js";
import { objectDoc, printed } from "../naming/doc.js";
import type { TsCode } from "../naming/encoders.js";
import { InternalError } from "../diagnostics/internal-error.js";
import type { ResourceModel } from "../model/resource-model.js";
import {
  constantOf,
  conversionModule,
  convertedMembers,
  needsStored,
  shownTypeName,
  storedTypeName,
  typeNameOf,
  usesOf,
  type ConstantView,
  type ConvertedMember,
} from "./conversion-constants.js";
import { shownEntries, storedEntries } from "./conversion-entries.js";
import { canBeNew } from "./operations.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { importCode, signatureCode, type Import } from "./layout.js";
import { besideModule } from "./modules.js";
import { shownPairCode, storedPairCodes } from "./pair-code.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { isShaped, pairsModule, stateConversion, storedImport, type Converted } from "./shaped.js";

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

/** How an older version's properties follow from what is stored, and what is stored of what it sends (VER-2). */
export function conversionsView(resource: ResourceModel): ConversionsView {
  if (!isShaped(resource)) throw new InternalError(`${resource.source} converts nothing`);
  const { name, conversion, version } = resource;
  const { variable, typeName } = name;
  const { pairs } = conversion;
  const used = stateConversion(resource);
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    imports: imports(resource),
    version: word(version),
    conversions: [
      ...convertedMembers(conversion)
        .map(constantOf)
        .map((constant) =>
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
      storedParameters(resource),
      storedName(`${resource.entity.name.typeName}Properties`),
    ),
    storedPairs: storedPairCodes(conversion, canBeNew(resource)).map((code) => ({ code })),
    stored: storedCode(resource),
  };
}

/** What was stored before is given where something of it is used. */
function storedParameters(resource: Converted): TsCode[] {
  const { name, entity, conversion } = resource;
  const stored = storedName(entity.name.typeName);
  const before = canBeNew(resource) ? ts`${stored} | null` : stored;
  return [
    ts`sent: ${word(name.typeName)}Properties`,
    ...(needsStored(conversion) ? [ts`stored: ${before}`] : []),
  ];
}

function storedName(typeName: string): TsCode {
  return word(`Stored${typeName}`);
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

function storedCode(resource: Converted): TsCode {
  const { states, properties } = resource.entity;
  const initial = states && { property: states.property, state: states.initial };
  const isNew = canBeNew(resource);
  const entries = storedEntries(resource.conversion, { order: properties, isNew, initial });
  return printed(objectDoc(entries, true), { indent: 2, before: "return ", after: ";" });
}

function imports(resource: Converted): TsCode {
  const { conversion, name, entity } = resource;
  const { pairs } = conversion;
  const converted = convertedMembers(conversion);
  const uses = converted.flatMap(({ member }) => usesOf(member.value, member.property));
  const stored = converted.filter(({ from }) => from === null);
  const shown = converted.filter(({ to }) => to === null);
  return importCode([
    {
      from: "../../kernel/entity/conversion.js",
      names: converted.length > 0 ? ["type Conversion"] : [],
    },
    ...uses.map((name) => ({ from: conversionModule(name), names: [name] })),
    storedImport(resource, [
      entity.name.typeName,
      `${entity.name.typeName}Properties`,
      ...stored.map(({ member }) => typeNameOf(member.origin)),
    ]),
    ...pairs.map((pair) => ({ from: pairsModule(resource, pair), names: [pair.name] })),
    {
      from: besideModule(resource, "shape"),
      names: [
        name.typeName,
        `${name.typeName}Properties`,
        ...shown.map(({ member }) => typeNameOf(member.property)),
      ].map((type) => `type ${type}`),
    },
    ...converted.flatMap((one) => otherImports(resource, one)),
  ]);
}

/** Imports the types of other versions, under names that say which one. */
function otherImports(
  { entity }: Converted,
  { member: { origin, property }, from, to }: ConvertedMember,
): Import[] {
  const { plural } = entity.name;
  const typesOf = (version: string | null, type: string, own: string): Import[] =>
    version === null
      ? []
      : [
          {
            from: `../../${version}/${plural}/${plural}.shape.js`,
            names: [`type ${type} as ${own}`],
          },
        ];
  return [
    ...typesOf(from, typeNameOf(origin), storedTypeName(origin, from)),
    ...typesOf(to, typeNameOf(property), shownTypeName(property, to)),
  ];
}
