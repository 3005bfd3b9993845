import { rmSync } from "node:fs";
import { join } from "node:path";
import { insertSearchSteps } from "#runtime/store/search-sql";
import { connectSqlite, type SqliteConnection } from "#runtime/store/sqlite/module";
import type { BenchService } from "./bench-service.js";
import { cpuPerRequest } from "./compare.js";
import { median } from "./median.js";
import type { Figure } from "./report.js";
import { startServer, type ServerProcess } from "./server-process.js";

/** First pages: through one index, and where every row with a common value has to be looked at. */
const FIRST_PAGES = [
  { name: "a filter of 20 rows, sorted", list: "?email=desk7@example.com&sort=-priority" },
  { name: "a filter of a third of the rows", list: "?status=open" },
  {
    name: "a search for a word that 20 have, sorted",
    list: "?title.contains=538453d7&sort=-priority",
  },
  { name: "a search for a word that a third have", list: "?title.contains=urgent" },
  {
    name: "a search for a word that a third have, sorted",
    list: "?title.contains=urgent&sort=-priority",
  },
  { name: "a search in two properties for a word that 20 have", list: "?search=538453d7" },
  { name: "a search in two properties for a word that a third have", list: "?search=urgent" },
  { name: "sorted", list: "?sort=priority" },
  { name: "a third of the rows, sorted, with an index of both", list: "?status=open&sort=-title" },
  { name: "a third of the rows, sorted, as an alias", list: "/openbytitle" },
  // Last: it takes most of the time of a process, and tells its compiler the least of lists.
  { name: "a filter of a third of the rows, sorted", list: "?status=open&sort=-priority" },
] as const;
const REQUESTS = 150;

/** What lists cost while a table grows; the last resource of the service does not count its entities. */
export async function growthFigures(
  service: BenchService,
  sizes: readonly number[],
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const smallest = new Map<string, number>();
  for (const rows of sizes) {
    const database = await filledDatabase(service, rows);
    const server = await startServer("generated", [service.folder, `sqlite:${database}`]);
    const [counted = "", uncounted = ""] = service.resources;
    const cost = (resource: string, list: string): Promise<number> =>
      listCost(server, `/api/v1/${resource}${list}`);
    // The processes that long statements are given to have started before anything is measured.
    for (const { list } of FIRST_PAGES) await cost(uncounted, list);
    for (const { name, list } of FIRST_PAGES) {
      const first = await cost(uncounted, list);
      if (!smallest.has(name)) smallest.set(name, first);
      figures.push(
        figure(`${rows} rows: page 1, ${name}`, first, first / (smallest.get(name) ?? first)),
      );
    }
    if (rows >= 20_000) {
      const deep = await cost(uncounted, "?pageNumber=1000");
      figures.push(figure(`${rows} rows: page 1,000`, deep, null));
    }
    if (rows >= 100_000) {
      const first = await cost(uncounted, "?pageSize=10");
      const last = await cost(uncounted, await afterPage(server, uncounted, 9_999));
      figures.push(figure(`${rows} rows: page 10,000 of 10, by its token`, last, last / first));
    }
    const exact = await cost(counted, "?pageSize=1");
    figures.push(figure(`${rows} rows: exact count`, exact, null));
    await server.stop();
    removeDatabase(database);
  }
  return figures;
}

/** The query of the page of 10 that follows one, by its token. */
async function afterPage({ port }: ServerProcess, resource: string, page: number): Promise<string> {
  const path = `http://127.0.0.1:${port}/api/v1/${resource}?pageSize=10&pageNumber=${page}`;
  const { headers } = await fetch(path);
  return /\?[^>]*/.exec(headers.get("link") ?? "")?.[0] ?? "";
}

/** The median of a few rounds, after two that warm up; fewer requests where each takes long. */
async function listCost(server: ServerProcess, path: string): Promise<number> {
  const request = () => ({ method: "GET", path, body: null });
  const round = (count: number): Promise<number> =>
    cpuPerRequest(server, { connections: 4, count, request });
  const warm = await round(4);
  const count = warm > 20_000 ? 4 : REQUESTS;
  await round(count);
  return median([await round(count), await round(count), await round(count)]);
}

/** A database whose two tables hold so many rows, of which a third is open; written in bulk, indexes last. */
async function filledDatabase(service: BenchService, rows: number): Promise<string> {
  const path = join(service.folder, `growth-${rows}.sqlite`);
  removeDatabase(path);
  await (await startServer("generated", [service.folder, `sqlite:${path}`])).stop();
  const database = await connectSqlite(path);
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN");
  for (const table of service.resources) {
    const indexes = database
      .prepare(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql > ''",
      )
      .all(table);
    for (const { name } of indexes) database.exec(`DROP INDEX "${String(name)}"`);
    database.prepare(insertStatement(table)).run(rows);
    for (const { sql } of indexes) database.exec(String(sql));
  }
  fillSearch(database, service.resources.at(-1) ?? "");
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return path;
}

/** Writes the texts as they are searched. */
function fillSearch(database: SqliteConnection, table: string): void {
  const all = database.prepare(`SELECT * FROM "${table}"`);
  for (const property of ["title", "email"]) {
    const insert = database.prepare(
      `INSERT INTO "${table}_${property}_search" (owner_id, text) VALUES (?, ?)`,
    );
    for (const row of all.iterate()) {
      const [id] = Object.values(row);
      for (const step of insertSearchSteps("sqlite", table, String(id), String(row[property])))
        insert.run(...step.values);
    }
  }
}

/** Every column in its order: the identifier, the 12 properties, the 6 common ones, the revision. */
function insertStatement(table: string): string {
  return `INSERT INTO "${table}"
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
    SELECT printf('019a0000-%04x-7000-8000-%012x', n >> 16, n), 'The printer is out of paper ' || n || CASE n % 3 WHEN 0 THEN ' urgently' ELSE '' END || printf(' %08x', ((n / 20) * 2654435761) & 4294967295),
      'It has been blinking since this morning.', 'desk' || (n / 20) || '@example.com',
      CASE n % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'pending' ELSE 'closed' END, n % 5 + 1, n % 9000,
      '2026-01-15T10:30:00.000Z', '["printer"]', '{"street":null,"city":null,"state":"TX"}', 'web',
      1.5, n % 2, '2026-01-15T10:30:00.000Z', 'anonymous', 'anonymous',
      '2026-01-15T10:30:00.000Z', 'anonymous', 'anonymous', 1
    FROM numbers`;
}

function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm", ".created"]) rmSync(path + suffix, { force: true });
}

function figure(name: string, value: number, ratio: number | null): Figure {
  return { name, value, unit: "us", ratio };
}
