import { ts } from "../naming/code.js";
import { flat, objectDoc } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { Instead } from "../model/conversion-model.js";

/** `{ onHold: "open" }`: what is shown instead of stored values (VER-2). */
export function insteadCode(instead: readonly Instead[]): TsCode {
  return flat(objectDoc(instead.map(({ stored, shown }) => ts`${key(stored)}: ${literal(shown)}`)));
}
