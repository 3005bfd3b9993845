import { InternalError } from "../diagnostics/internal-error.js";
import { pathText, word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import type { PairModel } from "../model/conversion-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { nameList, ownPairs, pairExport, pairFile, pairType } from "./shaped.js";

/** What `scaffold/conversion.ts.hbs` sees. */
export interface CustomConversionView {
  readonly type: TsCode;
  readonly module: TsCode;
  readonly plural: TsCode;
  readonly older: TsCode;
  readonly newer: TsCode;
  readonly name: TsCode;
  readonly olderNames: TsCode;
  readonly newerNames: TsCode;
}

/** Where that code stands. */
export function ownPairPath(resource: ResourceModel): string {
  return pairFile(resource, ownPair(resource));
}

/** The file of a pair, as it is made: it does not compile until both functions are written. */
export function customConversionView(resource: ResourceModel): CustomConversionView {
  const pair = ownPair(resource);
  const { version } = resource;
  const { plural } = resource.name;
  return {
    type: word(pairType(resource, pair)),
    module: pathText(`../../generated/${version}/${plural}/${plural}.shape.js`),
    plural: word(plural),
    older: word(pair.older),
    newer: word(pair.newer),
    name: word(pairExport(resource, pair)),
    olderNames: nameList(pair.inOlder.map(({ property }) => property.name)),
    newerNames: nameList(pair.inNewer.map(({ property }) => property.name)),
  };
}

function ownPair(resource: ResourceModel): PairModel {
  const [pair] = ownPairs(resource);
  if (pair === undefined) throw new InternalError(`${resource.source} has no pair of its own`);
  return pair;
}
