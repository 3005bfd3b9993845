import type { WriteStep } from "../database.js";
import { checkChanges, isOneStatement } from "../write-sql.js";
import { isConnectionLoss, isReadOnly } from "./errors.js";
import type { PostgresConnection, PostgresPool } from "./pool.js";
import type { PostgresStatements, StatementShape } from "./statements.js";

/** division_by_zero, which the fence raises. */
export const RETIRED_STATE = "22012";

/** A step, and the shape of its statement. */
interface ShapedStep extends WriteStep {
  readonly shape: StatementShape;
}

/** Carries out units of writes, each on a connection of its own: all steps or none. */
export class PostgresWriters {
  /** SQL in parentheses: NULL, or an error if a newer release has migrated the database. */
  private fence: string | null = null;

  constructor(
    private readonly pool: PostgresPool,
    private readonly statements: PostgresStatements,
  ) {}

  /** From now on writes fail with `RETIRED_STATE` if a migration after this generation has retired older releases. */
  keepWithin(generation: number): void {
    this.fence = `(SELECT 1 / ("generation" * 0) FROM "schema_fence" WHERE "generation" > ${generation} LIMIT 1)`;
  }

  /** Resolves once the unit is committed; throws what `pg` throws, or the `otherwise` of a step. */
  async write(asked: readonly WriteStep[]): Promise<void> {
    const steps = this.shaped(asked);
    const own = steps.slice(-asked.length);
    // Steps for idempotency keys and events name no table in quotes, so that the unit counts for the table of an entity.
    const main = own.find(({ shape }) => shape.table !== "") ?? own[0];
    if (main === undefined) return;
    const connection = await this.pool.lend(main.shape);
    try {
      await (isOneStatement(steps) ? run(connection, steps[0]) : transaction(connection, steps));
    } catch (error) {
      // The server may have become a standby; the next connection may reach the new primary.
      if (isReadOnly(error)) connection.drop();
      throw error;
    } finally {
      this.pool.giveBack(connection);
    }
  }

  /** Adds the fence, whose table no other transaction can change until this one ends. */
  private shaped(steps: readonly WriteStep[]): readonly ShapedStep[] {
    const { fence, statements } = this;
    if (fence !== null && isOneStatement(steps) && steps[0].isOpenEnded !== true) {
      const [step] = steps;
      const { sql } = step;
      const shape = statements.of(sql);
      // Composing the text each time would cost more than sending it. `RETURNING` costs a row that is sent back.
      shape.fenced ??= statements.of(
        step.isKeyed === true ? `${sql} AND ${fence} IS NULL` : `${sql} RETURNING ${fence}`,
      );
      return [{ ...step, shape: shape.fenced }];
    }
    const before = fence === null ? [] : [{ sql: `SELECT ${fence}`, values: [] }];
    return [...before, ...steps].map((step) => ({ ...step, shape: statements.of(step.sql) }));
  }
}

/** Sends all statements at once; the transaction is committed if all of them succeed. */
async function transaction(
  connection: PostgresConnection,
  steps: readonly ShapedStep[],
): Promise<void> {
  const begun = connection.ask({ text: "BEGIN" });
  const answers = await Promise.allSettled([begun, ...steps.map((step) => run(connection, step))]);
  // The first error has the reason; later ones only say that the transaction has failed.
  const failed = answers.find((answer) => answer.status === "rejected");
  try {
    if (failed !== undefined) throw failed.reason;
    await connection.ask({ text: "COMMIT" });
  } catch (error) {
    if (!isConnectionLoss(error)) await connection.ask({ text: "ROLLBACK" });
    throw error;
  }
}

async function run(connection: PostgresConnection, step: ShapedStep): Promise<void> {
  const { rowCount } = await connection.ask(step.shape.with(step.values));
  checkChanges(step, rowCount);
}
