import type { ColumnType } from "#runtime/store/storage-model";
import type { TsCode } from "../../naming/encoders.js";
import { call, plain, type Expression } from "../expression.js";
import { selectedAsItIs } from "./selected.js";

/** What all kinds share that are text in the database and in JSON alike. */
export const textColumn = {
  columnType: (): ColumnType => "text",
  leafType: (): ColumnType => "text",
  bounds: () => ({}),
  selected: selectedAsItIs,
  leaf: (extracted: string) => extracted,
  encode: (value: TsCode): Expression => plain(value),
  decode: (value: TsCode, _type: unknown, nullable: boolean): Expression =>
    call(nullable ? "textOrNull" : "textOf", [plain(value)]),
} as const;
