import { ts, word } from "../naming/code.js";
import { callDoc, objectDoc, prefixed, printed, type Doc } from "../naming/doc.js";
import type { TsCode } from "../naming/encoders.js";
import { upperFirst } from "../naming/resource-name.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ConversionModel, PairModel } from "../model/conversion-model.js";
import { asNewer, inVersion, shownValue } from "./conversion-entries.js";
import { keptView } from "./reader-view.js";

/** `const inV1 = v1ToV2.toShown({ firstName: customer.firstName });` */
export function shownPairCode(pair: PairModel, holder: TsCode): TsCode {
  const head = ts`const ${inVersion(pair.older)} = `;
  const call = callDoc(ts`${word(pair.name)}.toShown`, [newerDoc(pair, holder)]);
  return ts`${head}${printed(call, { indent: 2, before: head, after: ";" })};`;
}

/** What the newer properties are that are stored: as they were, where they are sent back as they were shown. */
export function storedPairCodes({ pairs }: ConversionModel): TsCode[] {
  return pairs.flatMap((pair) => {
    const isWhole = pair.inOlder.every(({ shown }) => shown !== null);
    const before = word(`shown${upperFirst(pair.older)}`);
    const whole = newerDoc(pair, ts`stored`);
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

/** The newer side of a pair, from what is stored: `{ firstName: stored.firstName }`. */
function newerDoc({ inNewer }: PairModel, holder: TsCode): Doc {
  const entries = inNewer.map((member) => {
    const from = ts`${holder}.${word(member.origin.name)}`;
    return prefixed(ts`${word(member.property.name)}: `, shownValue(asNewer(member), from));
  });
  return objectDoc(entries);
}
