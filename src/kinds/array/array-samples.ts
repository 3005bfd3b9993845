import { isEqual, type Json } from "../../samples/json.js";
import type { Seed } from "../../samples/seed.js";
import type { KindSamples, Samples } from "../kind-samples.js";
import { kindOf } from "../kinds.js";
import type { Value } from "../property-model.js";
import type { ArrayType } from "./array-type.js";

/** Lists for tests and checks. */
export const arraySamples: KindSamples<ArrayType> = { samples, seeded };

function samples({ items, minItems, maxItems }: ArrayType): Samples {
  const [item] = kindOf(items).samples(items).valid;
  if (item === undefined) return { valid: [], invalid: ["text", { a: 1 }] };
  const invalid: Value[] = ["text", { a: 1 }, [[]]];
  if (maxItems < 1000) invalid.push(Array.from({ length: maxItems + 1 }, () => item));
  return { valid: minItems <= 1 ? [[item]] : [], invalid };
}

/** Two items, unless the schema wants more or allows fewer. */
function seeded(
  { items, minItems, maxItems, uniqueItems }: ArrayType,
  seed: Seed,
  word: string,
): Json {
  const wanted = Math.min(maxItems, Math.max(minItems, 2));
  const list: Json[] = [];
  for (let turn = 0; list.length < wanted && turn < wanted + 50; turn += 1) {
    const around = { ...seed, index: seed.index + turn };
    const item = kindOf(items).seeded(items, around, `${word} ${turn}`);
    if (item === null) break;
    if (!uniqueItems || !list.some((other) => isEqual(other, item))) list.push(item);
  }
  return list.length < minItems ? null : list;
}
