// The least that a hand-written server does: `floor.ts <migration.sql> <database file> <table> <id property>`.
// node:http, prepared statements, JSON.stringify(x, null, 2); it validates nothing, and a crash loses what it wrote.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { SqlRow, SqlValue } from "#runtime/store/database";
import { connectSqlite } from "#runtime/store/sqlite/module";
import {
  type FloorTable,
  jsonOf,
  listenForBench,
  pageOf,
  sendObject,
  subjectOf,
} from "../support/floor-server.js";

const PROPERTIES = [
  "title",
  "body",
  "email",
  "status",
  "priority",
  "price",
  "dueDate",
  "tags",
  "deliveryAddress",
  "channel",
  "weight",
  "urgent",
] as const;
const STAMPS = [
  "created_date",
  "created_subject_id",
  "created_user_principal_name",
  "last_modified_date",
  "last_modified_subject_id",
  "last_modified_user_principal_name",
] as const;

type Body = Readonly<Record<string, unknown>>;

const [migration = "", file = "", table = "", id = ""] = process.argv.slice(2);
const database = await connectSqlite(file);
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;");
database.exec(readFileSync(migration, "utf8"));
const columns = PROPERTIES.map((name) => `"${name}"`);
const select = `SELECT "${id}", ${[...columns, ...STAMPS].join(", ")} FROM "${table}"`;
const statements = {
  get: database.prepare(`${select} WHERE "${id}" = ?`),
  list: database.prepare(`${select} ORDER BY "${id}" LIMIT ? OFFSET ?`),
  count: database.prepare(`SELECT COUNT(*) AS count FROM "${table}"`),
  insert: database.prepare(
    `INSERT INTO "${table}" ("${id}", ${[...columns, ...STAMPS, "row_revision"].join(", ")})
     VALUES (${Array.from({ length: PROPERTIES.length + STAMPS.length + 2 }, () => "?").join(", ")})`,
  ),
  update: database.prepare(
    `UPDATE "${table}" SET ${columns.map((column) => `${column} = ?`).join(", ")},
     last_modified_date = ? WHERE "${id}" = ?`,
  ),
};
const listed: FloorTable = {
  rows: (pageSize, offset) => statements.list.all(pageSize, offset),
  count: () => statements.count.get()?.["count"],
  entityOf,
};
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const key = pathname.split("/")[4] ?? "";
  if (request.method === "GET") {
    sendObject(response, 200, key === "" ? pageOf(searchParams, listed) : read(key));
    return;
  }
  readBody(request, (body) => {
    if (request.method === "POST") sendObject(response, 201, create(body));
    else sendObject(response, 200, update(key, body));
  });
});
listenForBench(server, () => database.close());

function read(key: string): object {
  return entityOf(statements.get.get(key) ?? {});
}

function create(body: Body): object {
  const key = randomUUID();
  const now = new Date().toISOString();
  const stamps = [now, "anonymous", "anonymous", now, "anonymous", "anonymous"];
  statements.insert.run(key, ...valuesOf(body), ...stamps, 1);
  return read(key);
}

function update(key: string, body: Body): object {
  const next = { ...read(key), ...body };
  statements.update.run(...valuesOf(next), new Date().toISOString(), key);
  return read(key);
}

function valuesOf(body: Body): SqlValue[] {
  return PROPERTIES.map((name) => {
    const value = body[name] ?? null;
    if (typeof value === "boolean") return Number(value);
    if (name === "price" && value !== null) return Math.round(Number(value) * 100);
    // All else that a body of the bench holds is a text, a number or null.
    return typeof value === "object" && value !== null
      ? JSON.stringify(value)
      : (value as SqlValue);
  });
}

function entityOf(row: SqlRow): object {
  const { tags, deliveryAddress, price, urgent } = row;
  return {
    [id]: row[id],
    title: row["title"],
    body: row["body"],
    email: row["email"],
    status: row["status"],
    priority: row["priority"],
    price: price === null ? null : (Number(price) / 100).toFixed(2),
    dueDate: row["dueDate"],
    tags: jsonOf(tags),
    deliveryAddress: jsonOf(deliveryAddress),
    channel: row["channel"],
    weight: row["weight"],
    urgent: urgent === 1,
    createdDate: row["created_date"],
    createdSubject: subjectOf(row["created_subject_id"], row["created_user_principal_name"]),
    lastModifiedDate: row["last_modified_date"],
    lastModifiedSubject: subjectOf(
      row["last_modified_subject_id"],
      row["last_modified_user_principal_name"],
    ),
  };
}

function readBody(request: IncomingMessage, use: (body: Body) => void): void {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  // The bench sends objects.
  request.on("end", () => use(JSON.parse(Buffer.concat(parts).toString("utf8")) as Body));
}
