import { decimalOfUnits, decimalUnits } from "../base/decimal.js";
import { textOf, type Cell } from "./rows.js";

/** A decimal column, read with `CAST(... AS TEXT)`, with its fraction digits: `1250` at scale 2 is `12.50`. */
export function decimalOf(cell: Cell, scale: number): string {
  return decimalOfUnits(textOf(cell), scale);
}

/** A decimal column that may be null. */
export function decimalOrNull(cell: Cell, scale: number): string | null {
  return cell === null ? null : decimalOf(cell, scale);
}

/** A decimal as the whole number that its column holds: `12.5` at scale 2 is `1250n`. */
export function scaledInteger(value: string | number | boolean, scale: number): bigint {
  return decimalUnits(String(value), scale);
}

/** A decimal that may be null, as its column holds it. */
export function scaledOrNull(value: string | null, scale: number): bigint | null {
  return value === null ? null : scaledInteger(value, scale);
}
