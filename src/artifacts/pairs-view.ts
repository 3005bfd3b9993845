import { InternalError } from "../diagnostics/internal-error.js";
import { joined, ts, word } from "../naming/code.js";
import { callDoc, objectDoc, printed, prefixed, type Doc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { PairModel } from "../model/conversion-model.js";
import { ownPairs, pairExport } from "../model/own-pairs.js";
import type { ResourceModel } from "../model/resource-model.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { hasOwnPair, pairFile } from "./shaped.js";
import { call } from "../kinds/expression.js";
// Before the other kinds, which know each other through it.
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import { listReader } from "../kinds/array/array-kind.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { imported } from "../naming/imported.js";

/** What `resource/pairs.ts.hbs` sees. */
export interface PairsView extends HeaderView {
  readonly pairs: readonly PairView[];
}

interface PairView {
  readonly names: TsCode;
  readonly older: TsCode;
  readonly newer: TsCode;
  readonly name: TsCode;
  readonly value: TsCode;
}

/** What the service's own code converts from a version of a resource to the next, and how what it shows is read (VER-2, REP-9). */
export function pairsView(resource: ResourceModel): PairsView {
  if (!hasOwnPair(resource)) throw new InternalError(`${resource.source} has no pairs of its own`);
  const pairs = ownPairs(resource);
  return {
    ...resourceHeader(resource),
    pairs: pairs.map((pair) => pairView(resource, pair)),
  };
}

function pairView(resource: ResourceModel, pair: PairModel): PairView {
  const { inOlder, older, newer, name } = pair;
  return {
    names: joined(
      inOlder.map(({ property }) => ts`\`${property.path as TsCode}\``),
      ", ",
    ),
    older: word(older.version),
    newer: word(newer.version),
    name: word(name),
    value: printed(
      callDoc(ts`@convertedPair`, [
        imported(pairFile(resource, pair), pairExport(resource, pair)),
        literal(pairFile(resource, pair)),
        objectDoc(inOlder.map(({ property }) => shownReaderDoc(property))),
      ]),
      { before: `export const ${name} = `, after: ";" },
    ),
  };
}

/** `callMinutes: nullable(integer({ minimum: 0 }))`: how own code's value of a property is read before it is shown (REP-9). */
function shownReaderDoc(property: PropertyModel): Doc {
  return prefixed(ts`${word(property.name)}: `, shownReader(property));
}

/** What is left out has no default: nobody sent it. */
function shownReader({ type, nullable }: PropertyModel): Doc {
  const reader = typeReader(type);
  return type.kind === "array" ? reader : call(nullable ? "nullable" : "required", [reader]);
}

/** SCH-310: none of it refers to others. */
function typeReader(type: PropertyType): Doc {
  if (type.kind === "array") return listReader(typeReader(type.items), type);
  if (type.kind !== "object") return kindOf(type).reader(type);
  return call("shape", [objectDoc(type.properties.map(shownReaderDoc))]);
}
