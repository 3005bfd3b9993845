import { ts, word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import { InternalError } from "../diagnostics/internal-error.js";
import type { ResourceModel } from "../model/resource-model.js";
import {
  constantOf,
  returnedCode,
  convertedMembers,
  needsShown,
  needsStored,
  type ConstantView,
  type FunctionView,
} from "./conversion-constants.js";
import { shownEntries, storedEntries } from "./conversion-entries.js";
import { canBeNew } from "./operations.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { signatureCode } from "./layout.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { isShaped, stateConversion, storedType, type Converted } from "./shaped.js";
import { ofResource } from "./modules.js";

/** What `resource/conversions.ts.hbs` sees. */
export interface ConversionsView extends HeaderView, ResourceNamesView {
  readonly conversions: readonly ConstantView[];
  /** What is shown of an entity, and what is stored of what is sent. */
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
    conversions: converted
      .map((one) => constantOf(one, resource))
      .map((constant) =>
        constant.name === used ? { ...constant, keyword: ts`export const` } : constant,
      ),
    functions: [shownFunction(resource), storedFunction(resource)],
  };
}

function shownFunction(resource: Converted): FunctionView {
  const { name, version, entity } = resource;
  const { article, words } = resourceNames(resource);
  const { variable, typeName } = name;
  return {
    doc: ts`Converts ${article} ${words} from its stored form to that of ${word(version)} (VER-2).`,
    signature: signatureCode(
      ts`export function shown${word(typeName)}`,
      [ts`${word(variable)}: ${storedType(entity, entity.name.typeName)}`],
      ownType(resource),
    ),
    returned: shownCode(resource),
  };
}

function storedFunction(resource: Converted): FunctionView {
  const { name, version, entity } = resource;
  const { article, words } = resourceNames(resource);
  return {
    doc: ts`Converts ${article} ${words} that ${word(version)} sends to its stored form; hidden properties keep their values (VER-2).`,
    signature: signatureCode(
      ts`export function stored${word(name.typeName)}`,
      storedParameters(resource),
      storedType(entity, `${entity.name.typeName}Properties`),
    ),
    returned: storedCode(resource),
  };
}

/** What was stored before is given where something of it is used, and what it was shown as. */
function storedParameters(resource: Converted): TsCode[] {
  const { entity, conversion } = resource;
  const stored = storedType(entity, entity.name.typeName);
  const orNull = canBeNew(resource) ? ts` | null` : ts``;
  return [
    ts`sent: ${ownType(resource, "Properties")}`,
    ...(needsStored(conversion) ? [ts`stored: ${stored}${orNull}`] : []),
    ...(needsShown(conversion) ? [ts`shown: ${ownType(resource)}${orNull}`] : []),
  ];
}

function ownType(resource: Converted, ending = ""): TsCode {
  return ofResource(resource, "dto", `type ${resource.name.typeName}${ending}`);
}

function shownCode({ name, conversion, entity }: Converted): TsCode {
  const holder = word(name.variable);
  const common = ["createdDate", "createdSubject", "lastModifiedDate", "lastModifiedSubject"];
  const id = word(entity.name.idProperty);
  const entries = [
    ts`${id}: ${holder}.${id}`,
    ...shownEntries(conversion.members, holder),
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
    version: resource.version,
    isNew,
    initial,
    isWhole: true,
  });
  return returnedCode(entries);
}
