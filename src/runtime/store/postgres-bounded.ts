import { OWN_ROW_BYTES, type RowBound } from "./database.js";
import type { PostgresQuery, PostgresStatement, QueryClass } from "./postgres-module.js";

/** A statement that drops rows as they arrive, once they hold more than they may together. */
export interface BoundedQuery extends PostgresQuery {
  readonly isTooLarge: boolean;
}

/** The class of such statements. */
export type BoundedQueryClass = new (
  statement: PostgresStatement,
  bound: RowBound,
  /** Called with each row that is too many. */
  onTooLarge?: () => void,
) => BoundedQuery;

/** Makes the class out of the package's own, which is only loaded where there is a PostgreSQL server. */
export function boundedQuery(Query: QueryClass): BoundedQueryClass {
  // Private by name as well: the package's own class has a field called `rows`, and may have any other.
  return class extends Query implements BoundedQuery {
    readonly #bound: RowBound;
    #bytes = 0;
    #count = 0;
    readonly #onTooLarge: (() => void) | undefined;

    constructor(statement: PostgresStatement, bound: RowBound, onTooLarge?: () => void) {
      super(statement);
      this.#bound = bound;
      this.#onTooLarge = onTooLarge;
    }

    /** One row is never too large, but of custom code's statements. */
    get isTooLarge(): boolean {
      return this.#bytes > this.#bound.bytes && (this.#bound.isOwn === true || this.#count > 1);
    }

    override handleDataRow(message: { readonly length: number }): void {
      this.#bytes += message.length + (this.#bound.isOwn === true ? OWN_ROW_BYTES : 0);
      this.#count += 1;
      if (!this.isTooLarge) super.handleDataRow(message);
      else this.#onTooLarge?.();
    }
  };
}
