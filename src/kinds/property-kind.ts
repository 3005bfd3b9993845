import type { KindCode } from "./kind-code.js";
import type { KindContract } from "./kind-contract.js";
import type { KindKeywords } from "./kind-keywords.js";
import type { KindModel } from "./kind-model.js";
import type { KindSamples } from "./kind-samples.js";
import type { Doc } from "../naming/doc.js";
import type { ColumnBounds, ColumnType, Encoding } from "#runtime/store/storage-model";
import type { TsCode } from "../naming/encoders.js";

/**
 * Everything about one kind of property, for every floor above; a kind answers for itself. `T` is its type in the model,
 * `Y` the keywords of its own as YAML has them.
 */
export interface PropertyKind<T, Y = object>
  extends
    KindKeywords<Y>,
    KindModel<T>,
    KindContract<T>,
    KindStorage<T>,
    KindCode<T>,
    KindSamples<T> {}

/** How a value is kept: what tables and stores ask of a kind. */
interface KindStorage<T> {
  /** What the column of a property holds. */
  columnType(type: T): ColumnType;
  /** What a leaf inside a JSON column holds. */
  leafType(type: T): ColumnType;
  /** How a value is written down; another encoding makes another value of what is stored. */
  encoding(type: T): Encoding;
  /** What a validator asks of values: a migration looks for those that do not keep a tighter one. */
  bounds(type: T): ColumnBounds;
  /** What the SELECT reads, under the name `shown`: the column, or a cast of it. */
  selected(column: string, shown: string): string;
  /** The SQL expression to filter and sort by, of a leaf inside a JSON column. */
  leaf(extracted: string): string;
  /** From the property's value to what the column holds. */
  encode(value: TsCode, type: T, nullable: boolean): Doc;
  /**
   * From what the row holds to the property's value; the variables `row` and `linked` hold all that was read, and
   * `json` reads the objects inside it.
   */
  decode(value: TsCode, type: T, nullable: boolean, json?: TsCode): Doc;
  /** A function that turns a filter's value into what the column holds; null: they are the same. */
  bind(type: T): Doc | null;
}
