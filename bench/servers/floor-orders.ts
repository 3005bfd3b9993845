// The least that a hand-written server does to read the shop's orders: `floor-orders.ts <database file>`. The entities that
// an order refers to are joined in its one statement; like the other floor it is node:http and JSON.stringify(x, null, 2).
import { createServer } from "node:http";
import type { SqlRow } from "#runtime/store/database";
import { connectSqlite } from "#runtime/store/sqlite/module";
import {
  type FloorTable,
  jsonOf,
  listenForBench,
  pageOf,
  sendObject,
  subjectOf,
} from "../support/floor-server.js";

const [file = ""] = process.argv.slice(2);
const database = await connectSqlite(file);
const select = `
  SELECT orders.*, users."firstName", users."lastName", merchants."name"
  FROM orders
  LEFT JOIN users ON users."userId" = orders."customer"
  LEFT JOIN merchants ON merchants."merchantId" = orders."merchant"`;
const statements = {
  get: database.prepare(`${select} WHERE "orderId" = ?`),
  list: database.prepare(`${select} ORDER BY "orderId" LIMIT ? OFFSET ?`),
  count: database.prepare("SELECT COUNT(*) AS count FROM orders"),
};
const listed: FloorTable = {
  rows: (pageSize, offset) => statements.list.all(pageSize, offset),
  count: () => statements.count.get()?.["count"],
  entityOf: orderOf,
};
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const key = pathname.split("/")[4] ?? "";
  const read = (): object => orderOf(statements.get.get(key) ?? {});
  sendObject(response, 200, key === "" ? pageOf(searchParams, listed) : read());
});
listenForBench(server, () => database.close());

function orderOf(row: SqlRow): object {
  const { customer, firstName, lastName, merchant, name, deliveryAddress, price } = row;
  return {
    orderId: row["orderId"],
    number: row["number"],
    status: row["status"],
    customer: { userId: customer, firstName, lastName },
    merchant: { merchantId: merchant, name },
    recipient: row["recipient"],
    email: row["email"],
    items: jsonOf(row["items"]),
    price: (Number(price) / 100).toFixed(2),
    priority: row["priority"],
    deliveryAddress: jsonOf(deliveryAddress),
    dueDate: row["dueDate"],
    channel: row["channel"],
    giftWrapped: row["giftWrapped"] === 1,
    note: row["note"],
    tags: jsonOf(row["tags"]),
    shippedDate: row["shippedDate"],
    createdDate: row["created_date"],
    createdSubject: subjectOf(row["created_subject_id"], row["created_user_principal_name"]),
    lastModifiedDate: row["last_modified_date"],
    lastModifiedSubject: subjectOf(
      row["last_modified_subject_id"],
      row["last_modified_user_principal_name"],
    ),
  };
}
