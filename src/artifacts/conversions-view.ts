import { ts, word } from "../naming/code.js";
import { arrayDoc, objectDoc, prefixed } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { InternalError } from "../diagnostics/internal-error.js";
import { convertedBy, pairsIn } from "../model/conversion-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import {
  constantOf,
  functionsOf,
  returnedCode,
  conversionModule,
  convertedMembers,
  needsShown,
  needsStored,
  shownTypeName,
  storedTypeName,
  typeNameOf,
  usesOf,
  type ConstantView,
  type ConvertedMember,
  type FunctionView,
} from "./conversion-constants.js";
import { shownEntries, storedEntries } from "./conversion-entries.js";
import { canBeNew } from "./operations.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { importCode, objectCode, signatureCode, type Import } from "./layout.js";
import { besideModule } from "./modules.js";
import { shownPairCode, storedPairCodes } from "./pair-code.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import {
  isShaped,
  olderShapeName,
  pairFile,
  pairsModule,
  stateConversion,
  storedImport,
  type Converted,
} from "./shaped.js";
import { runtime } from "./runtime-modules.js";

/** What `resource/conversions.ts.hbs` sees. */
export interface ConversionsView extends HeaderView, ResourceNamesView {
  readonly imports: TsCode;
  readonly conversions: readonly ConstantView[];
  /** What is shown of an entity, what is stored of what is sent, and the same of objects inside. */
  readonly functions: readonly FunctionView[];
}

/** How an older version's properties follow from what is stored, and what is stored of what it sends (VER-2). */
export function conversionsView(resource: ResourceModel): ConversionsView {
  if (!isShaped(resource)) throw new InternalError(`${resource.source} converts nothing`);
  const { conversion } = resource;
  const converted = convertedMembers(conversion);
  const used = stateConversion(resource);
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    imports: imports(resource),
    conversions: [
      ...converted
        .map(constantOf)
        .map((constant) =>
          constant.name === used ? { ...constant, keyword: ts`export const` } : constant,
        ),
      ...olderShapes(resource),
    ],
    functions: [
      shownFunction(resource),
      storedFunction(resource),
      ...converted.flatMap(functionsOf),
    ],
  };
}

/** What writes of other versions must leave to be shown. */
function olderShapes(resource: Converted): ConstantView[] {
  const name = olderShapeName(resource);
  if (name === null) return [];
  const { conversion, version, entity } = resource;
  const type = ts`: OlderShape<${storedName(entity.name.typeName)}>`;
  const converted = convertedBy(conversion).map(({ pair, names }) =>
    prefixed(ts`${literal(pairFile(resource, pair))}: `, arrayDoc(names.map(literal))),
  );
  const entries = [
    ts`version: ${literal(version)}`,
    ts`show: shown${word(resource.name.typeName)}`,
    prefixed(ts`converted: `, objectDoc(converted)),
  ];
  const { article, words } = resourceNames(resource);
  return [
    {
      doc: ts`What every write has to leave of ${article} ${words}: what ${word(version)} can show (VER-2).`,
      keyword: ts`export const`,
      ...{ name, type },
      value: objectCode(entries, { before: `export const ${name}${type} = `, after: ";" }),
    },
  ];
}

function shownFunction(resource: Converted): FunctionView {
  const { name, conversion, version, entity } = resource;
  const { article, words } = resourceNames(resource);
  const { variable, typeName } = name;
  return {
    doc: ts`What ${word(version)} shows of ${article} ${words} (VER-2).`,
    signature: signatureCode(
      ts`export function shown${word(typeName)}`,
      [ts`${word(variable)}: ${storedName(entity.name.typeName)}`],
      word(typeName),
    ),
    pairs: conversion.pairs.map((pair) => ({ code: shownPairCode(pair, word(variable)) })),
    returned: shownCode(resource),
  };
}

function storedFunction(resource: Converted): FunctionView {
  const { name, conversion, version, entity } = resource;
  const { article, words } = resourceNames(resource);
  const isNew = canBeNew(resource);
  return {
    doc: ts`What is stored of ${article} ${words} that ${word(version)} sends; what it cannot see stays as it is (VER-2).`,
    signature: signatureCode(
      ts`export function stored${word(name.typeName)}`,
      storedParameters(resource),
      storedName(`${entity.name.typeName}Properties`),
    ),
    pairs: storedPairCodes(conversion, isNew).map((code) => ({ code })),
    returned: storedCode(resource),
  };
}

/** What was stored before is given where something of it is used, and what it was shown as. */
function storedParameters(resource: Converted): TsCode[] {
  const { name, entity, conversion } = resource;
  const stored = storedName(entity.name.typeName);
  const orNull = canBeNew(resource) ? ts` | null` : ts``;
  return [
    ts`sent: ${word(name.typeName)}Properties`,
    ...(needsStored(conversion) ? [ts`stored: ${stored}${orNull}`] : []),
    ...(needsShown(conversion) ? [ts`shown: ${word(name.typeName)}${orNull}`] : []),
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
  return returnedCode(entries);
}

function storedCode(resource: Converted): TsCode {
  const { states, properties } = resource.entity;
  const initial = states && { property: states.property, state: states.initial };
  const isNew = canBeNew(resource);
  const entries = storedEntries(resource.conversion, {
    order: properties,
    isNew,
    initial,
    isWhole: true,
  });
  return returnedCode(entries);
}

function imports(resource: Converted): TsCode {
  const { conversion, name, entity } = resource;
  const converted = convertedMembers(conversion);
  const uses = converted.flatMap(({ member }) => usesOf(member.value, member.property));
  const stored = converted.filter(({ from }) => from === null);
  const shown = converted.filter(({ to }) => to === null);
  return importCode([
    {
      from: runtime("entity/conversion"),
      names: [
        ...(converted.length > 0 ? ["type Conversion"] : []),
        ...(needsShown(conversion) ? ["storedOf"] : []),
      ],
    },
    {
      from: runtime("entity/older-shape"),
      names: olderShapeName(resource) === null ? [] : ["type OlderShape"],
    },
    ...uses.map((name) => ({ from: conversionModule(name), names: [name] })),
    storedImport(resource, [
      entity.name.typeName,
      `${entity.name.typeName}Properties`,
      ...stored.map(({ member }) => typeNameOf(member.origin)),
    ]),
    ...pairsIn(conversion).map((pair) => ({
      from: pairsModule(resource, pair),
      names: [pair.name],
    })),
    {
      from: besideModule(resource, "dto"),
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
  { conversion }: Converted,
  { member: { origin, property }, from, to }: ConvertedMember,
): Import[] {
  const sides = pairsIn(conversion).flatMap(({ older, newer }) => [older, newer]);
  const typesOf = (version: string | null, type: string, own: string): Import[] =>
    sides
      .filter((side) => side.version === version)
      .slice(0, 1)
      .map(({ plural }) => ({
        from: `../../${String(version)}/${plural}/${plural}.dto.js`,
        names: [`type ${type} as ${own}`],
      }));
  return [
    ...typesOf(from, typeNameOf(origin), storedTypeName(origin, from)),
    ...typesOf(to, typeNameOf(property), shownTypeName(property, to)),
  ];
}
