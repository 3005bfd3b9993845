import type { MigrationFile } from "#runtime/store/migrations/migration";
import type { Chain } from "./chain.js";
import { nextNumber, numbered } from "./migration-name.js";
import { fileOf } from "./next-migration.js";

/** A migration for somebody to write. */
export interface HandWritten {
  readonly name: string;
  readonly file: MigrationFile;
  readonly scripts: { readonly sqlite: string; readonly postgres: string };
}

const SQLITE = `-- Yours: statements for SQLite, which run in one transaction. The log shows the line before each statement.
--
-- -- check: <what must not be there>
-- SELECT of the identifiers of such rows; all checks run before anything is changed.
--
-- -- run: <what it does>
-- one statement.
`;

const POSTGRES = `-- Yours: statements for PostgreSQL. The log shows the line before each statement.
--
-- -- check: <what must not be there>
-- SELECT of the identifiers of such rows; all checks run before anything is changed.
--
-- -- run: <what it does>
-- one statement, in a short transaction of its own: written so that it can be run again.
--
-- -- batch: <what it does>
-- a statement that changes at most :limit rows; repeated until it changes none.
--
-- -- outside: <what it does>
-- a statement that no transaction may contain: CREATE INDEX CONCURRENTLY IF NOT EXISTS ...
--
-- -- contract: <what it does>
-- a statement that has to wait until no older release serves any more
`;

/** An empty migration on top of a chain, named as somebody wants it. */
export function handWritten(chain: Chain, words: string): HandWritten {
  const number = nextNumber(chain.migrations.map(({ name }) => name));
  return {
    name: numbered(number, words),
    file: { ...fileOf(chain, [], chain.storage), handWritten: true },
    scripts: { sqlite: SQLITE, postgres: POSTGRES },
  };
}
