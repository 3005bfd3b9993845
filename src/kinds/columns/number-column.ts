import type { TsCode } from "../../naming/encoders.js";
import { call, plain, type Expression } from "../expression.js";
import { selectedAsItIs } from "./selected.js";

/** How integers and numbers are kept. */
export const numberColumn = {
  selected: selectedAsItIs,
  leaf: (extracted: string) => extracted,
  encode: (value: TsCode): Expression => plain(value),
  decode: (value: TsCode, _type: unknown, nullable: boolean): Expression =>
    call(nullable ? "numberOrNull" : "numberOf", [plain(value)]),
  bind: () => null,
} as const;
