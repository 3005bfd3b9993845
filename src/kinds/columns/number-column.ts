import type { Doc } from "../../naming/doc.js";
import type { TsCode } from "../../naming/encoders.js";
import { call } from "../expression.js";
import { selectedAsItIs } from "./selected.js";

/** How integers and numbers are kept. */
export const numberColumn = {
  selected: selectedAsItIs,
  leaf: (extracted: string) => extracted,
  encode: (value: TsCode): Doc => value,
  decode: (value: TsCode, _type: unknown, nullable: boolean): Doc =>
    call(nullable ? "numberOrNull" : "numberOf", [value]),
  bind: () => null,
} as const;
