import type { ListQuery } from "../query/query.js";
import { gramsOf } from "../query/search-text.js";
import type { Database, SqlValue } from "./database.js";
import type { ListSql } from "./list-sql.js";
import { RecentlyUsed } from "./recently-used.js";
import { numberOf } from "./rows.js";
import type { Searched } from "./search-sql.js";

/** So many rows are found and sorted within a millisecond or two. */
const MANY = 1000;
/** What is known is looked at again after so long: it decides how a page is found, and nothing else. */
const KNOWN_MILLISECONDS = 60_000;
/** The parts of words that a hundredth of the texts have, or more. */
const COMMON = `SELECT gram FROM pg_stats,
  unnest(CAST(CAST(most_common_elems AS text) AS text[]), most_common_elem_freqs) AS common (gram, frequency)
  WHERE schemaname = current_schema() AND tablename = ? AND attname = 'grams' AND frequency > 0.01`;

/**
 * Judges whether many texts have what a list searches for (QRY-7): its page is then found sooner in the order of the list than by the
 * index of the texts.
 */
export class SearchReach {
  private readonly common = new Map<string, { readonly grams: ReadonlySet<string>; at: number }>();
  /** By what is searched for. */
  private readonly known = new RecentlyUsed<Known>(() => ({ at: null, isFar: false }));

  constructor(
    private readonly database: Database,
    private readonly lists: ListSql,
  ) {}

  /** Whether each search of a query alone finds many. */
  async isFar(query: ListQuery): Promise<boolean> {
    const searches = this.lists.searches(query);
    for (const { few, values, tables, words } of searches) {
      const isFar =
        this.database.dialect === "sqlite"
          ? await this.findsMany(few, values)
          : await this.isCommon(tables, words);
      if (!isFar) return false;
    }
    return searches.length > 0;
  }

  private async findsMany(few: string, values: readonly SqlValue[]): Promise<boolean> {
    const known = this.known.of([few, ...values].join("\n"));
    if (isStale(known.at)) {
      const row = await this.database.get(few, [...values, MANY, 0]);
      known.isFar = numberOf(row?.["count"]) >= MANY;
      known.at = performance.now();
    }
    return known.isFar;
  }

  /** Whether all parts of the words of a value are common; the planner of PostgreSQL knows little of what is not. */
  private async isCommon(tables: readonly string[], values: Searched): Promise<boolean> {
    const common = await Promise.all(tables.map((table) => this.commonIn(table)));
    return values.some((words) =>
      words.flatMap(gramsOf).every((gram) => common.some((grams) => grams.has(gram))),
    );
  }

  private async commonIn(table: string): Promise<ReadonlySet<string>> {
    const known = this.common.get(table);
    if (known !== undefined && !isStale(known.at)) return known.grams;
    const rows = await this.database.all(COMMON, [table]);
    const grams = new Set(rows.map(({ gram }) => String(gram)));
    this.common.set(table, { grams, at: performance.now() });
    return grams;
  }
}

interface Known {
  at: number | null;
  isFar: boolean;
}

function isStale(at: number | null): boolean {
  return at === null || performance.now() - at > KNOWN_MILLISECONDS;
}
