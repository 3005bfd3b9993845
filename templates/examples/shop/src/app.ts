import { defineApp, route } from "./generated/app.js";

// This file is yours: it was created once, and the generator never changes it again. `src/main.ts` and every test start
// the service that is defined here.

/** Additions to the `context` of hooks and routes. */
export interface Provided {}

export default defineApp({
  provide: (): Provided => ({}),

  routes: () => [
    // Sales by month (UTC), without cancelled orders. SQL asks nobody for access: once callers are identified, add
    // `access: ["role:manager"]`, or every caller with a token sees the sales of all merchants.
    route({
      method: "GET",
      path: "/api/v1/reports/sales",
      async handle({ context: { sql } }) {
        const { createdDate, price, status } = sql.orders;
        const results = await sql`
          SELECT substr(${createdDate}, 1, 7) AS month, COUNT(*) AS count, SUM(${price}) AS total
          FROM ${sql.orders}
          WHERE ${status} <> ${"cancelled"}
          GROUP BY 1
          ORDER BY 1`.rows({ month: sql.string, count: sql.integer, total: sql.decimal(2) });
        return { results };
      },
    }),
  ],
});
