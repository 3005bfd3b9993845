import { get } from "node:http";
import { expect, test } from "vitest";
import type { CommonFields } from "#runtime/base/common-fields";
import type { ReferenceTo, EntityService } from "#runtime/entity/entity-service";
import type { Context } from "#runtime/entity/hooks";
import type { Sql, SqlGap, SqlQuery } from "#runtime/entity/custom-sql";
import type { EntityStore } from "#runtime/store/entity-store";
import { customCode } from "./support/custom-code.js";
import { DATABASE } from "./support/database.js";
import { expectError, resultsOf } from "./support/errors.js";
import { FULL_WIDGET, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

interface Widget extends CommonFields {
  widgetId: string;
  name: string;
  size: number | null;
  weight: number | null;
  price: string | null;
  active: boolean | null;
  status: "draft" | "open" | "closed" | null;
  startDate: string | null;
  tags: string[];
  parts: { label: string }[];
  deliveryAddress: { state: string | null; city: string | null; place: { floor: number | null } };
}

interface Crate extends CommonFields {
  crateId: string;
  title: string;
  fee: string | null;
  spot: {
    since: string | null;
    shelf: {
      fee: string | null;
      tight: boolean | null;
      width: number | null;
      colour: "red" | null;
    };
  };
}

interface Depot extends ReferenceTo<"depotId"> {
  depotId: string;
  name: string;
}

interface Pallet extends CommonFields {
  palletId: string;
  title: string;
  depot: Depot | null;
}

interface Order extends CommonFields {
  orderId: string;
}

interface Basket extends CommonFields {
  basketId: string;
  name: string | null;
  lines: {
    depot: Depot | null;
    quantity: number | null;
    price: string | null;
    size: { width: number | null } | null;
    codes: string[];
  }[];
  delivery: { stops: { door: string | null }[] } | null;
}

interface BasketWhere {
  "lines.depot.depotId"?: string;
  "lines.quantity"?: number;
  "lines.price"?: string;
  "lines.size.width"?: number;
  "delivery.stops.door"?: string;
}

type Baskets = EntityService<
  Basket,
  Omit<Basket, "basketId" | keyof CommonFields>,
  object,
  BasketWhere
>;

type Store<Entity extends CommonFields> = EntityStore<Entity, object>;
type OwnSql = Sql<
  {
    widgets: Store<Widget>;
    crates: Store<Crate>;
    pallets: Store<Pallet>;
    orders: Store<Order>;
    baskets: EntityStore<Basket, Omit<Basket, "basketId" | keyof CommonFields>>;
  },
  { baskets: Baskets }
>;

const service = await startService("contract", { ownErrors: true });
const widgets = await customCode("widgets");
let turn = 0;

/** What code makes of its `sql`, in a hook of a request; an error as its text. */
async function inHook<T>(work: (sql: OwnSql, context: Context) => Promise<T>): Promise<T | string> {
  let found: T | string = "";
  widgets.beforeCreate = async (_, context) => {
    const { sql } = context as unknown as { readonly sql: OwnSql };
    found = await work(sql, context).catch((error: unknown) => String(error));
  };
  turn += 1;
  expect((await service.send("POST", WIDGETS, { body: { name: `probe ${turn}` } })).status).toBe(
    201,
  );
  delete widgets.beforeCreate;
  return found;
}

async function crate(body: object): Promise<void> {
  await service.create("/api/v1/crates", { title: "crate", ...body });
}

test("the items of a list are a table, with what is filterable in them (QRY-10)", async () => {
  const depotId = String((await service.create("/api/v1/depots", { name: "Harbour" }))["depotId"]);
  await service.create("/api/v1/baskets", {
    name: "summed",
    lines: [
      { depot: { depotId }, quantity: 2, price: "0.10" },
      { depot: { depotId }, quantity: 3, price: "10.05", size: { width: 7 } },
      { quantity: 9 },
    ],
    delivery: { stops: [{ door: "A" }] },
  });
  const found = await inHook(async (sql) => {
    const { baskets } = sql;
    const { lines, delivery } = baskets;
    const other = lines.as("other");
    return sql`
        SELECT ${baskets.name} AS name, SUM(${lines.price} * ${lines.quantity}) AS total, COUNT(*) AS lines,
          (SELECT MAX(${other.quantity}) FROM ${other} WHERE ${other.basketId} = ${baskets.basketId}) AS most,
          (SELECT MIN(${delivery.stops.door}) FROM ${delivery.stops} WHERE ${delivery.stops.basketId} = ${baskets.basketId}) AS door
        FROM ${baskets} JOIN ${lines} ON ${lines.basketId} = ${baskets.basketId}
        WHERE ${lines.depot.depotId} = ${depotId} AND ${lines.price} > ${lines.price.of("0.05")}
        GROUP BY ${baskets.basketId}, ${baskets.name}`.rows({
      name: sql.string,
      total: sql.decimal(2),
      lines: sql.integer,
      most: sql.integer,
      door: sql.string,
    });
  });
  expect(found).toEqual([{ name: "summed", total: "30.35", lines: 2, most: 9, door: "A" }]);
  // @ts-expect-error Nothing in `codes` is filtered.
  const _codes = (sql: OwnSql) => sql`${sql.baskets.lines.codes}`;
});

test("values are bound and never text, a decimal is summed exactly, and a part of a statement is included", async () => {
  const name = `O'Neil "?" $1 -- \\ é`;
  for (const price of ["19.90", "0.15", "9999999999999999.99"])
    await service.create(WIDGETS, {
      ...FULL_WIDGET,
      name,
      price,
      startDate: "2026-03-01T00:00:00.000Z",
    });
  await service.create(WIDGETS, { ...FULL_WIDGET, name, price: "7.00", status: "closed" });
  const rows = await inHook(async (sql) => {
    const { widgets: all } = sql;
    const dear = (least: string): SqlQuery => sql`${all.price} >= ${all.price.of(least)}`;
    return sql`
      SELECT substr(${all.startDate}, 1, 7) AS month, SUM(${all.price}) AS total, COUNT(*) AS widgets,
        MAX(${all.startDate}) AS latest, MIN(${all.size}) AS size, AVG(${all.weight}) AS weight,
        MIN(${all.name}) AS name, ${7} / 2 AS half
      FROM ${all}
      WHERE ${all.name} = ${name} AND ${all.status} IN (${["open", "draft"]}) AND ${dear("0.15")}
        AND ${all.active} = ${all.active.of(true)} AND ${all.size} < ${100}
      GROUP BY 1 ORDER BY 1`.rows({
      month: sql.string,
      total: sql.decimal(2),
      widgets: sql.integer,
      latest: sql.timestamp,
      size: sql.integer,
      weight: sql.number,
      name: sql.string,
      half: sql.number,
    });
  });
  expect(rows).toEqual([
    {
      month: "2026-03",
      total: "10000000000000020.04",
      widgets: 3,
      latest: "2026-03-01T00:00:00.000Z",
      size: 12,
      weight: 1.5,
      name,
      half: 3,
    },
  ]);
});

test("every value that is stored has a name: in objects, of references, common fields, under another name", async () => {
  const depotId = String((await service.create("/api/v1/depots", { name: "North" }))["depotId"]);
  await service.create("/api/v1/pallets", { title: "named", depot: { depotId } });
  const shelf = { fee: "1.20", tight: true, width: 4, colour: "red" };
  await crate({ title: "named", fee: "0.30", spot: { since: "2026-01-01T00:00:00.000Z", shelf } });
  const found = await inHook(async (sql) => {
    const { crates, pallets } = sql;
    const other = crates.as('o"ther');
    const { fee, tight, width, colour } = other.spot.shelf;
    return {
      crates: await sql`
        SELECT ${fee} AS fee, ${tight} AS tight, ${width} + 1 AS width, ${other.fee} AS own, ${other.spot.since} AS since,
          ${other.crateId} = ${crates.crateId} AS same
        FROM ${other} JOIN ${crates} ON ${crates.crateId} = ${other.crateId}
        WHERE ${fee} = ${fee.of("1.2")} AND ${tight} = ${tight.of(true)} AND ${colour} = ${colour.of("red")}
          AND ${other.fee} = ${crates.fee.of("0.3")}`.rows({
        fee: sql.decimal(2),
        tight: sql.boolean,
        width: sql.integer,
        own: sql.decimal(2),
        since: sql.timestamp,
        same: sql.boolean,
      }),
      pallets: await sql`
        SELECT ${pallets.depot.depotId} AS depot, ${pallets.createdSubject.userPrincipalName} AS name,
          ${pallets.createdDate} = ${pallets.lastModifiedDate} AS fresh
        FROM ${pallets} WHERE ${pallets.title} = ${"named"}`.rows({
        depot: sql.string,
        name: sql.string,
        fresh: sql.boolean,
      }),
    };
  });
  const row = {
    fee: "1.20",
    tight: true,
    width: 5,
    own: "0.30",
    since: "2026-01-01T00:00:00.000Z",
    same: true,
  };
  const pallet = { depot: depotId, name: "anonymous", fresh: true };
  expect(found).toEqual({ crates: [row], pallets: [pallet] });
});

test("a value that a column cannot hold is refused, and null is null", async () => {
  const found = await inHook(async ({ crates, widgets: all }) => {
    const wrong = [
      () => crates.fee.of("1.234"),
      () => crates.spot.shelf.fee.of("many"),
      () => all.startDate.of("2026-01-01"),
      () => all.widgetId.of("x"),
      () => all.status.of("gone" as "open"),
      () => all.name.of(undefined as never),
    ];
    const texts = wrong.map((make) => {
      try {
        return make();
      } catch (error) {
        return String(error);
      }
    });
    return [...texts, all.price.of(null as never), all.active.of(false), all.price.of("-1.5")];
  });
  const fault = (path: string) =>
    expect.stringMatching(new RegExp(`^OwnCodeFault: context\\.sql breaks a rule: ${path} `));
  expect(found).toEqual([
    ...["crates.fee", "crates.spot.shelf.fee", "widgets.startDate", "widgets.widgetId"].map(fault),
    ...["widgets.status", "widgets.name"].map(fault),
    ...[null, 0, -150n],
  ]);
});

test("what would write is refused by the database, and the service goes on writing", async () => {
  const refused =
    "OwnCodeFault: context.sql breaks a rule: the statement only reads, and would write";
  const found = await inHook(async (sql) => {
    const { widgets: all } = sql;
    const texts = [
      DATABASE === "sqlite"
        ? sql`WITH x AS (SELECT 1) DELETE FROM ${all}`
        : sql`WITH x AS (DELETE FROM ${all} RETURNING 1) SELECT COUNT(*) AS n FROM x`,
      DATABASE === "sqlite"
        ? sql`WITH x AS (SELECT 1) UPDATE ${all} SET name = 'x' RETURNING 1 AS n`
        : sql`SELECT 1 AS n FROM ${all} FOR UPDATE`,
    ];
    return Promise.all(
      texts.map(async (one) =>
        one.rows({ n: sql.integer }).catch((error: unknown) => String(error)),
      ),
    );
  });
  expect(found).toEqual([refused, refused]);
  const ways =
    DATABASE === "sqlite"
      ? ["SELECT * FROM pragma_query_only(0)", "SELECT load_extension('x')"]
      : ["SELECT set_config('transaction_read_only', 'off', false)", "SELECT 1 AS n INTO copies"];
  for (const text of ways) {
    const strings = Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray;
    expect(await inHook(async (sql) => sql(strings).rows({}))).toMatch(
      /only reads, and would write$|too many arguments on pragma_query_only|not authorized|must be set before any query$/,
    );
  }
  if (DATABASE === "postgres") {
    const setting = async (name: string): Promise<unknown> =>
      inHook(async (sql) => sql`SELECT current_setting(${name}) AS s`.rows({ s: sql.string }));
    const before = await setting("statement_timeout");
    const set = async (sql: OwnSql): Promise<unknown> =>
      sql`SELECT set_config('statement_timeout', '0', false) AS s`.rows({ s: sql.string });
    expect(await inHook(set)).toEqual([{ s: "0" }]);
    expect(await setting("statement_timeout")).toEqual(before);
  }
  const several = await inHook(async (sql) =>
    sql`SELECT 1 AS n; DELETE FROM ${sql.widgets}`.rows({ n: sql.integer }),
  );
  expect(several).toContain("without a semicolon between two");
  const begun = [];
  for (const text of [
    "DELETE FROM widgets",
    "PRAGMA query_only = OFF",
    "COMMIT",
    "-- SELECT",
    "",
  ]) {
    const strings = Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray;
    begun.push(await inHook(async (sql) => sql(strings).rows({ n: sql.integer })));
  }
  expect(new Set(begun)).toEqual(
    new Set([
      "OwnCodeFault: context.sql breaks a rule: the statement must begin with SELECT, WITH or VALUES: it only reads",
    ]),
  );
  expect(await inHook(async (sql) => sql`VALUES (1), (2)`.rows({ column1: sql.integer }))).toEqual([
    { column1: 1 },
    { column1: 2 },
  ]);
  expect((await service.send("GET", WIDGETS)).status).toBe(200);
  expect(resultsOf(await service.read(WIDGETS)).length).toBeGreaterThan(3);
});

test("what is no value cannot be in a statement, and text that was put together is none", async () => {
  const wrong: readonly unknown[] = [
    undefined,
    {},
    [],
    [[1]],
    NaN,
    Symbol("x"),
    () => 1,
    new Date(0),
  ];
  const found = await inHook(async (sql) =>
    wrong.map((gap) => {
      try {
        return sql`SELECT ${1} AS a, ${gap as SqlGap} AS b`;
      } catch (error) {
        return String(error);
      }
    }),
  );
  expect(found).toEqual(
    wrong.map(() => expect.stringContaining("context.sql breaks a rule: gap 2 is ")),
  );
  for (const text of ["SELECT 1", ["SELECT 1"]]) {
    expect(await inHook(async (sql) => sql(text as never).rows({}))).toBe(
      "OwnCodeFault: context.sql breaks a rule: sql is for templates: sql`SELECT ...`",
    );
  }
  const nodes = ["deliveryAddress", "nothing"] as const;
  for (const name of nodes) {
    const text = await inHook(async (sql) => {
      const gap = (sql.widgets as unknown as Record<string, SqlGap>)[name];
      return sql`SELECT ${gap as SqlGap} AS a`.rows({ a: sql.string });
    });
    expect(text).toContain("gap 1 is ");
  }
});

const REFUSED: Readonly<Record<string, (sql: OwnSql) => SqlQuery>> = {
  "a gap in quotation marks": (sql) => sql`SELECT '${"x"}' AS a`,
  "a gap in a name": (sql) => sql`SELECT 1 AS "${"x"}"`,
  "a gap in a comment": (sql) => sql`SELECT 1 AS a -- ${"x"}
    FROM ${sql.widgets}`,
  "a place that is no gap": (sql) =>
    DATABASE === "sqlite" ? sql`SELECT ${"x"} AS a, ? AS b` : sql`SELECT ${"x"} AS a, $1 AS b`,
  "two statements": (sql) => sql`SELECT 1 AS a; SELECT 2 AS a`,
  "too many values": (sql) =>
    sql`SELECT 1 AS a WHERE 1 IN (${Array.from({ length: 40_000 }, (_, index) => index)})`,
  "a write": (sql) => sql`DELETE FROM ${sql.widgets}`,
};

test.each(Object.keys(REFUSED))("%s is refused before it is sent", async (name) => {
  const text = await inHook(async (sql) => REFUSED[name]?.(sql).rows({ a: sql.integer }));
  expect(text).toContain("OwnCodeFault: context.sql breaks a rule: the statement ");
});

test("what is in quotation marks and comments is left alone, and a NUL finds nothing", async () => {
  const rows = await inHook(async (sql) =>
    sql`/* $1 ? */ SELECT '?; $1 it''s' AS "a?", CAST(${"x"} AS TEXT) AS b -- '
      WHERE NOT EXISTS (SELECT 1 FROM ${sql.widgets} WHERE ${sql.widgets.name} = ${"a\0"})`.rows({
      "a?": sql.string,
      b: sql.string,
    }),
  );
  expect(rows).toEqual([{ "a?": "?; $1 it's", b: "x" }]);
});

// SQLite has none.
test.runIf(DATABASE === "postgres")(
  "a lock that a session would keep ends with the statement",
  async () => {
    const read = async () =>
      inHook(async (sql) =>
        sql`SELECT CAST(pg_try_advisory_lock(7001) AS INTEGER) AS taken,
        (SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7001 AND pid <> pg_backend_pid()) AS others`.rows(
          { taken: sql.integer, others: sql.integer },
        ),
      );
    for (let time = 0; time < 12; time += 1)
      expect(await read()).toEqual([{ taken: 1, others: 0 }]);
  },
);

test("a result that is not what its readers say is refused, and the column is named", async () => {
  const told = async (work: (sql: OwnSql) => Promise<unknown>): Promise<unknown> => inHook(work);
  const fault = (text: string): string => `OwnCodeFault: context.sql breaks a rule: ${text}`;
  expect(
    await told(async (sql) => sql`SELECT 1 AS a, 2 AS b`.rows({ a: sql.integer, c: sql.integer })),
  ).toBe(fault("b has no reader; c must be a safe integer, and is undefined"));
  expect(await told(async (sql) => sql`SELECT NULL AS a`.rows({ a: sql.string }))).toBe(
    fault("a must be a string, and is null"),
  );
  expect(await told(async (sql) => sql`SELECT NULL AS a`.rows({ a: sql.string.orNull }))).toEqual([
    { a: null },
  ]);
  expect(
    await told(async (sql) =>
      sql`SELECT 'x' AS a, 1.5 AS b`.rows({ a: sql.integer, b: sql.integer }),
    ),
  ).toBe(
    fault("a must be a safe integer, and is another string; b must be a safe integer, and is 1.5"),
  );
  expect(
    await told(async (sql) => sql`SELECT 9007199254740993 AS a`.rows({ a: sql.integer })),
  ).toContain("and is 9007199254740993");
  expect(await told(async (sql) => sql`SELECT 2 AS a`.rows({ a: sql.boolean }))).toContain(
    "a boolean, and is 2",
  );
  expect(await told(async (sql) => sql`SELECT 1.5 AS a`.rows({ a: sql.decimal(2) }))).toContain(
    "and is 1.5",
  );
  expect(await told(async (sql) => sql`SELECT '2026' AS a`.rows({ a: sql.timestamp }))).toContain(
    "a timestamp",
  );
  expect(
    await told(async (sql) => sql`SELECT 1 AS a WHERE 1 = 0`.rows({ b: sql.integer })),
  ).toEqual([]);
  expect(
    await told(async (sql) =>
      sql`SELECT ${null} AS a, ${"1"} AS b`.rows({ a: sql.boolean.orNull, b: sql.string }),
    ),
  ).toEqual([{ a: null, b: "1" }]);
});

test("it reads what is committed, and not what the transaction will write", async () => {
  const found = await inHook(async (sql, context) => {
    const { services } = context as unknown as {
      services: { orders: { create(input: object): Promise<{ orderId: string }> } };
    };
    const { orderId } = await services.orders.create({ label: "own" });
    const { orders } = sql;
    const counted = sql`SELECT COUNT(*) AS n FROM ${orders} WHERE ${orders.orderId} = ${orderId}`;
    return counted.rows({ n: sql.integer });
  });
  expect(found).toEqual([{ n: 0 }]);
  expect(resultsOf(await service.read("/api/v1/orders")).length).toBe(1);
});

/** Takes much longer than a request may. */
const endless = (sql: OwnSql): SqlQuery => sql`
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) SELECT COUNT(*) AS n FROM n`;

test("a statement that takes too long is ended with 504, and nobody waits for it", async () => {
  const hasty = await startService("contract", { ownErrors: true, limits: { requestSeconds: 6 } });
  const names: string[] = [];
  widgets.beforeCreate = async ({ name }, context) => {
    const { sql } = context as unknown as { readonly sql: OwnSql };
    if (name !== "slow") return;
    await endless(sql)
      .rows({ n: sql.integer })
      .catch((error: unknown) => {
        names.push((error as Error).constructor.name);
        throw error;
      });
  };
  const slow = Array.from({ length: 3 }, async () =>
    hasty.send("POST", WIDGETS, { body: { name: "slow" } }),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (let time = 0; time < 2; time += 1) {
    expect((await hasty.send("POST", WIDGETS, { body: { name: "quick" } })).status).toBe(201);
    expect((await hasty.send("GET", `${WIDGETS}?sort=-price,name`)).status).toBe(200);
  }
  // None of the others has ended meanwhile.
  expect(names).toEqual([]);
  for (const answer of await Promise.all(slow)) expectError(answer, 504, "TimeoutMessage");
  await expect.poll(() => names.length).toBe(3);
  expect(new Set(names)).toEqual(new Set(["StatementTimeout"]));
  delete widgets.beforeCreate;
});

test("rows that hold too much are refused, many small ones and a large one among them", async () => {
  const small = await startService("contract", { ownErrors: true, limits: { pageBytes: 2000 } });
  const found: unknown[] = [];
  widgets.beforeCreate = async (_, context) => {
    const { sql } = context as unknown as { readonly sql: OwnSql };
    const long = "x".repeat(1500);
    const rows = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i AS n, CAST(${long} AS TEXT) AS t FROM n`;
    const readers = { n: sql.integer, t: sql.string };
    found.push(await rows.rows(readers).catch((error: unknown) => String(error)));
    found.push((await sql`${rows} LIMIT ${1}`.rows(readers)).length);
    const many = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT '' AS t FROM n`;
    found.push(await many.rows({ t: sql.string }).catch((error: unknown) => String(error)));
    const large = sql`SELECT CAST(${long + long} AS TEXT) AS t`;
    found.push(await large.rows({ t: sql.string }).catch((error: unknown) => String(error)));
  };
  expect((await small.send("POST", WIDGETS, { body: { name: "large" } })).status).toBe(201);
  delete widgets.beforeCreate;
  const refused =
    "OwnCodeFault: context.sql breaks a rule: the rows hold more than 2000 bytes: add a LIMIT or aggregate";
  expect(found).toEqual([refused, 1, refused, refused]);
});

// PostgreSQL ends a statement when its time is over, as it does with lists.
test.runIf(DATABASE === "sqlite")("a statement whose client leaves is ended", async () => {
  const tickets = await customCode("tickets");
  await service.create("/api/v1/tickets", { title: "left" });
  const ended = new Promise<string>((resolve) => {
    tickets.complete = async (_, context) => {
      const { sql } = context as unknown as { readonly sql: OwnSql };
      setTimeout(() => request.destroy(), 100);
      await endless(sql)
        .rows({ n: sql.integer })
        .catch((error: unknown) => resolve((error as Error).name));
    };
  });
  const request = get(`${service.url}/api/v1/tickets`).on("error", () => undefined);
  expect(await ended).toBe("RecipientGone");
  delete tickets.complete;
});
