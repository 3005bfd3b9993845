import type { Doc } from "../../naming/doc.js";
import type { ColumnType } from "#runtime/store/storage-model";
import { ts } from "../../naming/code.js";
import type { TsCode } from "../../naming/encoders.js";
import { call } from "../expression.js";
import { selectedAsItIs } from "./selected.js";

/** What objects and arrays share: a column of compact JSON. */
export const jsonColumn = {
  columnType: (): ColumnType => "json",
  leafType: (): ColumnType => "json",
  bounds: () => ({}),
  selected: selectedAsItIs,
  leaf: (extracted: string) => extracted,
  encode: (value: TsCode, _type: unknown, nullable: boolean): Doc =>
    nullable ? call("jsonTextOrNull", [value]) : ts`JSON.stringify(${value})`,
  bind: () => null,
} as const;
