import { ts, word } from "../naming/code.js";
import { callDoc, objectDoc, prefixed, printed, type Doc } from "../naming/doc.js";
import type { TsCode } from "../naming/encoders.js";
import { upperFirst } from "../naming/resource-name.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ConversionModel, PairModel } from "../model/conversion-model.js";
import { asNewer, inVersion, shownValue, storedValue } from "./conversion-entries.js";
import { keptView } from "./reader-code.js";
import { isSame } from "./shaped.js";
import { ofResource } from "./modules.js";

/** `const inV1 = v1ToV2.toShown({ firstName: customer.firstName });` */
export function shownPairCode(pair: PairModel, holder: TsCode): TsCode {
  const head = ts`const ${inVersion(pair.older.version)} = `;
  const call = callDoc(ts`${pairConstant(pair)}.toShown`, [newerDoc(pair, holder)]);
  return ts`${head}${printed(call, { indent: 2, before: head, after: ";" })};`;
}

/** What converts by it, in the file of pairs of the older version. */
function pairConstant({ older: { plural, version }, name }: PairModel): TsCode {
  return ofResource({ name: { plural }, version }, "pairs", name);
}

/** What the newer properties are that are stored: as they were, where they are sent back as they were shown. */
export function storedPairCodes({ pairs, members }: ConversionModel, isNew: boolean): TsCode[] {
  const ifStored = isNew ? ts`stored && ` : ts``;
  return pairs.flatMap((pair) => {
    const before = word(`shown${upperFirst(pair.older.version)}`);
    const whole = newerDoc(pair, ts`stored`);
    const parts = pair.inOlder.map((part) => olderPart(part, { pair, members, before, isNew }));
    const head = ts`const ${inVersion(pair.newer.version)} = `;
    const call = callDoc(ts`${pairConstant(pair)}.toStored`, [
      objectDoc(parts.map(({ entry }) => entry)),
      prefixed(ifStored, whole),
    ]);
    const shownFirst = ts`const ${before} = ${ifStored}`;
    const first = callDoc(ts`${pairConstant(pair)}.toShown`, [whole]);
    return [
      ...(parts.some(({ usesBefore }) => usesBefore)
        ? [ts`${shownFirst}${printed(first, { indent: 2, before: shownFirst, after: ";" })};`]
        : []),
      ts`${head}${printed(call, { indent: 2, before: head, after: ";" })};`,
    ];
  });
}

interface PartSource extends Pick<ConversionModel, "members"> {
  readonly pair: PairModel;
  /** The variable that holds what the pair shows of what is stored. */
  readonly before: TsCode;
  readonly isNew: boolean;
}

/** A property of the older side of a pair, from what is sent. */
function olderPart(
  { property, shown }: PairModel["inOlder"][number],
  { pair, members, before, isNew }: PartSource,
): { readonly entry: Doc; readonly usesBefore: boolean } {
  const head = ts`${word(property.name)}: `;
  const member = members.find((one) => one.pair === pair.name && one.property.name === shown);
  if (member === undefined) {
    return { entry: ts`${head}${hiddenPart(property, before, isNew)}`, usesBefore: true };
  }
  const from = ts`sent.${word(member.property.name)}`;
  const was = { holder: before, first: isNew ? ts`null` : null };
  const entry = prefixed(head, storedValue(member, from, was));
  return { entry, usesBefore: !isSame(member.value) };
}

/** A part of a pair that a representation does not show is as it was. */
function hiddenPart(property: PropertyModel, before: TsCode, isNew: boolean): TsCode {
  const { value } = keptView(property, { isNew, projection: [] });
  return value.replaceAll("stored", before) as TsCode;
}

/** The newer side of a pair, from what is stored: `{ firstName: stored.firstName }`. */
function newerDoc({ inNewer }: PairModel, holder: TsCode): Doc {
  const entries = inNewer.map((member) => {
    const from = ts`${holder}.${word(member.origin.name)}`;
    return prefixed(ts`${word(member.property.name)}: `, shownValue(asNewer(member), from));
  });
  return objectDoc(entries);
}
