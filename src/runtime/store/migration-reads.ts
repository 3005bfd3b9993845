import { FORMATS, type TextFormat } from "../input/formats.js";
import type { DialectName, SqlValue } from "./database.js";
import { asSubquery } from "./migration-script.js";
import { searchRow } from "./search-sql.js";
import {
  MissingPair,
  MOST_IDENTIFIERS,
  type FoundRow,
  type FoundRows,
  type Migrator,
  type RowConverter,
  type RowRule,
} from "./migrator.js";

/** What texts have to be that no database can check: the second line of a statement that is marked `read`. */
export interface ReadRule extends Partial<RowRule> {
  readonly pattern?: string;
  readonly format?: TextFormat;
  /** Where they are inside the JSON of a column: `["lines", "[]", "code"]` without the first; left out: nowhere. */
  readonly path?: readonly string[];
}

const RULE = /^-- (\{.*\})\s*$/m;
const PAGE = 1000;
/** The identifier of a row that is converted; no property is called so. */
const ROW_KEY = "row_id";

/** The rows that the service could not read, or not convert: those that a statement selects are read here. */
export async function unreadRows(
  migrator: Pick<Migrator, "rows">,
  sql: string,
  convert: RowConverter | null = null,
): Promise<FoundRows | null> {
  // A migration that was generated has what `ReadRule` says.
  const rule = JSON.parse(RULE.exec(sql)?.[1] ?? "{}") as ReadRule;
  const key = isRowRule(rule) ? ROW_KEY : "id";
  const faultOf = isRowRule(rule) ? conversionFault(rule, convert) : readFault(rule);
  let count = 0;
  let reason: string | undefined;
  const identifiers: string[] = [];
  for await (const rows of pagesOf(migrator, sql, key)) {
    if (rows === null) return null;
    for (const row of rows) {
      const fault = faultOf(row);
      if (fault === null) continue;
      count += 1;
      reason ??= fault;
      if (identifiers.length < MOST_IDENTIFIERS) identifiers.push(String(row[key]));
    }
  }
  return { count, identifiers, ...(reason && { reason }) };
}

/** All rows of a statement, in the order of their key; null where it reads what is not there. */
async function* pagesOf(
  migrator: Pick<Migrator, "rows">,
  sql: string,
  key: string,
): AsyncGenerator<readonly FoundRow[] | null> {
  for (let last = ""; ;) {
    const after = `WHERE "${key}" > '${last.replaceAll("'", "''")}' ORDER BY "${key}" LIMIT ${PAGE}`;
    const rows = await migrator.rows(`SELECT * FROM ${asSubquery(sql)} ${after}`);
    yield rows;
    if (rows === null || rows.length < PAGE) return;
    last = String(rows.at(-1)?.[key]);
  }
}

/** How a database changes one row. */
type ChangeRow = (sql: string, values: readonly SqlValue[]) => Promise<unknown>;

/** Changes each row as own code of the service makes it, by a statement that is marked `convert`; returns how many. */
export async function convertRows(
  migrator: Pick<Migrator, "rows">,
  statement: string,
  convert: RowConverter | null,
  change: ChangeRow,
): Promise<number> {
  const [select = "", update = ""] = statement.split(/;\n/);
  const rule = JSON.parse(RULE.exec(select)?.[1] ?? "{}") as RowRule;
  let count = 0;
  for await (const rows of pagesOf(migrator, select, ROW_KEY)) {
    for (const row of rows ?? []) {
      await change(update.replace(/;\s*$/, ""), [
        ...converted(rule, row, convert),
        String(row[ROW_KEY]),
      ]);
      count += 1;
    }
  }
  return count;
}

/** Which texts a statement fills a table with that is searched: the line after its marker (QRY-7). */
interface FillRule {
  readonly table: string;
  /** The values are lists of texts, as JSON. */
  readonly isList?: boolean;
}

/** So many texts are read at a time. */
const TEXTS = 500;
/** So many rows are written by one statement. */
const ROWS = 100;

/** How a database runs a part of a statement: in a transaction of its own, perhaps. */
export type RunPart = (work: () => Promise<FilledPart>) => Promise<FilledPart>;

interface FilledPart {
  readonly rows: number;
  /** The last identifier that was read; null: there are no more. */
  readonly last: string | null;
}

/** Fills a table of searched texts by a statement that is marked `fill` or `refill`, a part at a time; returns how many rows it wrote. */
export async function fillSearch(
  migrator: Pick<Migrator, "rows">,
  statement: string,
  { dialect, change, part }: FillingDatabase,
): Promise<number> {
  const rule = JSON.parse(RULE.exec(statement)?.[1] ?? "{}") as FillRule;
  const sql = statement.replace(/;\s*$/, "").replace(":limit", String(TEXTS));
  let rows = 0;
  for (let after: string | null = ""; after !== null;) {
    const from: string = after;
    const filled = await part(async () => {
      const found = await migrator.rows(sql.replace(":after", `'${from.replaceAll("'", "''")}'`));
      if (found === null) throw new Error("there is no such table or column");
      const steps = found.flatMap(({ id, value }) => {
        // Inside an object that is there.
        if (value === null) return [];
        // A column of lists holds what was written from one.
        const texts =
          rule.isList === true ? (JSON.parse(String(value)) as string[]) : String(value);
        return searchRow(dialect, rule.table, String(id), texts);
      });
      for (let at = 0; at < steps.length; at += ROWS) {
        const together = steps.slice(at, at + ROWS);
        const [head = "", places = ""] = (together[0]?.sql ?? "").split(" VALUES ");
        const sqlOfAll = `${head} VALUES ${together.map(() => places).join(", ")}`;
        await change(
          sqlOfAll,
          together.flatMap(({ values }) => values),
        );
      }
      const last = found.length < TEXTS ? null : String(found.at(-1)?.["id"]);
      return { rows: steps.length, last };
    });
    rows += filled.rows;
    after = filled.last;
  }
  return rows;
}

interface FillingDatabase {
  readonly dialect: DialectName;
  readonly change: ChangeRow;
  readonly part: RunPart;
}

function converted(
  rule: RowRule,
  row: FoundRow,
  convert: RowConverter | null,
): readonly SqlValue[] {
  if (convert === null) throw new MissingPair(rule.pair);
  try {
    return convert(rule, row);
  } catch (error) {
    if (error instanceof MissingPair) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${rule.pair} cannot convert ${String(row[ROW_KEY])}: ${reason}`, {
      cause: error,
    });
  }
}

/** What is wrong with a row; null: nothing. */
type FaultOf = (row: FoundRow) => string | null;

/** Without its functions no row is to blame: throws `MissingPair`. */
function conversionFault(rule: RowRule, convert: RowConverter | null): FaultOf {
  return (row) => {
    try {
      converted(rule, row, convert);
      return null;
    } catch (error) {
      if (error instanceof MissingPair || !(error instanceof Error)) throw error;
      return error.message;
    }
  };
}

function isRowRule(rule: ReadRule): rule is RowRule {
  return rule.pair !== undefined;
}

/** Throws where there is no rule: whatever stands there would pass. */
function readFault(rule: ReadRule): FaultOf {
  const pattern = rule.pattern === undefined ? null : new RegExp(rule.pattern, "u");
  const isKnown = Object.hasOwn(FORMATS, rule.format ?? "");
  const format = rule.format !== undefined && isKnown ? FORMATS[rule.format] : null;
  if (rule.format === undefined ? pattern === null : format === null) {
    throw new Error('a line such as -- {"format": "email"} has to follow its marker');
  }
  const isRight = (text: string): boolean =>
    pattern?.test(text) !== false && format?.matches(text) !== false;
  const { path } = rule;
  return ({ value }) => {
    const values = path === undefined ? [value] : valuesAt(JSON.parse(String(value)), path);
    const isWrong = values.some(
      (one) => one !== null && one !== undefined && !isRight(String(one)),
    );
    return isWrong ? "" : null;
  };
}

function valuesAt(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  if (step === "[]") {
    return Array.isArray(value) ? value.flatMap((item: unknown) => valuesAt(item, rest)) : [];
  }
  // What is neither null nor a list has members.
  return valuesAt((value as Readonly<Record<string, unknown>>)[step], rest);
}
