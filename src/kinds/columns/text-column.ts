import type { Doc } from "../../naming/doc.js";
import type { ColumnType } from "#runtime/store/storage-model";
import type { TsCode } from "../../naming/encoders.js";
import { call } from "../expression.js";
import { selectedAsItIs } from "./selected.js";

/** What all kinds share that are text in the database and in JSON alike. */
export const textColumn = {
  columnType: (): ColumnType => "text",
  leafType: (): ColumnType => "text",
  bounds: () => ({}),
  selected: selectedAsItIs,
  leaf: (extracted: string) => extracted,
  encode: (value: TsCode): Doc => value,
  decode: (value: TsCode, _type: unknown, nullable: boolean): Doc =>
    call(nullable ? "textOrNull" : "textOf", [value]),
} as const;
