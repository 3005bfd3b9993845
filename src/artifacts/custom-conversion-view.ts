import { pathText, ts, word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import type { PairModel } from "../model/conversion-model.js";
import { isCustomPair, pairExport } from "../model/own-pairs.js";
import type { ResourceModel } from "../model/resource-model.js";
import { nameList, pairFile, pairType } from "./shaped.js";

/** What the service's own code converts, with the resource of the older version. */
export interface OwnPair {
  readonly resource: ResourceModel;
  readonly pair: PairModel;
}

/** What `scaffold/conversion.ts.hbs` sees. */
export interface CustomConversionView {
  readonly type: TsCode;
  readonly module: TsCode;
  /** What is converted: `customers`, or an object inside of them. */
  readonly what: TsCode;
  readonly older: TsCode;
  readonly newer: TsCode;
  readonly name: TsCode;
  readonly olderNames: TsCode;
  readonly newerNames: TsCode;
}

/** All that own code converts from the version of a resource to the next, each with a file of its own (VER-2). */
export function ownPairsOf(resource: ResourceModel): OwnPair[] {
  return resource.pairs.filter(isCustomPair).map((pair) => ({ resource, pair }));
}

/** Where that code stands. */
export function ownPairPath({ resource, pair }: OwnPair): string {
  return pairFile(resource, pair);
}

/** The file of a pair, as it is made: it does not compile until both functions are written. */
export function customConversionView({ resource, pair }: OwnPair): CustomConversionView {
  const { version } = resource;
  const { plural } = resource.name;
  const { path } = pair;
  return {
    type: word(pairType(resource, pair)),
    module: pathText(`../../generated/${version}/${plural}/${plural}.dto.js`),
    what: path === "" ? word(plural) : ts`\`${path as TsCode}\` of ${word(plural)}`,
    older: word(pair.older.version),
    newer: word(pair.newer.version),
    name: word(pairExport(resource, pair)),
    olderNames: nameList(pair.older.members.map(({ property }) => property.name)),
    newerNames: nameList(pair.newer.members.map(({ property }) => property.name)),
  };
}
