import { joined, pathText, ts, word } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { genericDoc, printed } from "../naming/doc.js";
import { InternalError } from "../diagnostics/internal-error.js";
import type { PairModel } from "../model/conversion-model.js";
import { ownPairs } from "../model/own-pairs.js";
import type { ResourceModel } from "../model/resource-model.js";
import { typesView, type TypesView } from "./entity-view.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { importCode, type Import } from "./layout.js";
import { entityModule } from "./modules.js";
import { objectsOf } from "./nested.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { isShaped, pairFile, pairType, pick, referenceTypesImport } from "./shaped.js";
import { runtime } from "./runtime-modules.js";

/** What `resource/shape.ts.hbs` sees. */
export interface ShapeView extends HeaderView, ResourceNamesView, TypesView {
  readonly imports: TsCode;
  readonly version: TsCode;
  readonly pairs: readonly PairTypeView[];
}

interface PairTypeView {
  readonly file: TsCode;
  readonly older: TsCode;
  readonly newer: TsCode;
  readonly declaration: TsCode;
}

/** The types of what an older version shows, where they are not those of what is stored (VER-2). */
export function shapeView(resource: ResourceModel): ShapeView {
  if (!isShaped(resource)) throw new InternalError(`${resource.source} has no shape of its own`);
  const pairs = ownPairs(resource);
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    // The types of references are the entity's.
    ...typesView(resource, objectsOf(resource.properties)),
    imports: importCode([
      { from: runtime("base/common-fields"), names: ["type CommonFields"] },
      {
        from: runtime("entity/converted-pair"),
        names: pairs.length > 0 ? ["type ConvertedPair"] : [],
      },
      referenceTypesImport(resource),
      ...pairs.map((pair) => newerImport(resource, pair)),
    ]),
    version: word(resource.version),
    pairs: pairs.map((pair) => pairTypeView(resource, pair)),
  };
}

/** The type of the newer version: its own, or that of what is stored. */
function newerImport(resource: ResourceModel, pair: PairModel): Import {
  const { plural, version } = pair.newer;
  const from = pair.isNewerShaped
    ? `../../${version}/${plural}/${plural}.shape.js`
    : entityModule(resource.entity, "entity");
  return { from, names: [`type ${typeOf(pair, "newer")} as ${newerType(pair)}`] };
}

/** What holds the properties of a pair: a resource, or an object inside of it. */
function typeOf(pair: PairModel, side: "older" | "newer"): string {
  const { typeName } = pair[side];
  return pair.path === "" ? `${typeName}Properties` : typeName;
}

function newerType(pair: PairModel): string {
  return `Newer${typeOf(pair, "newer")}`;
}

function pairTypeView(resource: ResourceModel, pair: PairModel): PairTypeView {
  const older = pair.inOlder.map(({ property }) => literal(property.name));
  const before = ts`export type ${word(pairType(resource, pair))} = `;
  return {
    file: pathText(pairFile(resource, pair)),
    older: word(pair.older.version),
    newer: word(pair.newer.version),
    declaration: ts`${before}${printed(
      genericDoc(ts`ConvertedPair`, [
        pick(word(typeOf(pair, "older")), older),
        newerSide(pair, word(newerType(pair))),
      ]),
      { before, after: ";" },
    )};`,
  };
}

/** The newer properties: where the newer version has no types of its own, what is stored may be called otherwise. */
function newerSide({ inNewer, isNewerShaped }: PairModel, type: TsCode): TsCode {
  const names = inNewer.map(({ property, origin }) => [
    property.name,
    isNewerShaped ? property.name : origin.name,
  ]);
  const isPlain = names.every(([name, stored]) => name === stored);
  if (isPlain)
    return pick(
      type,
      names.map(([name = ""]) => literal(name)),
    );
  const entries = names.map(
    ([name = "", stored = ""]) => ts`${word(name)}: ${type}[${literal(stored)}]`,
  );
  return ts`{ ${joined(entries, "; ")} }`;
}
