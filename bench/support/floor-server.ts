import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SqlRow } from "#runtime/store/database";
import { answerParent } from "./answer-parent.js";

/** Listens on loopback until the bench ends. */
export function listenForBench(server: Server, close: () => void): void {
  server.listen(0, "127.0.0.1", () => {
    // A server that listens on a port has an address with one.
    answerParent((server.address() as AddressInfo).port, () => {
      server.close();
      server.closeAllConnections();
      close();
    });
  });
}

/** What a list is made from. */
export interface FloorTable {
  readonly rows: (pageSize: number, offset: number) => readonly SqlRow[];
  readonly count: () => unknown;
  readonly entityOf: (row: SqlRow) => object;
}

/** The page of a list that a search asks for, in the contract's envelope. */
export function pageOf(search: URLSearchParams, { rows, count, entityOf }: FloorTable): object {
  const pageSize = Number(search.get("pageSize") ?? 20);
  const pageNumber = Number(search.get("pageNumber") ?? 1);
  const found = rows(pageSize, (pageNumber - 1) * pageSize);
  const itemCount = Number(count());
  const pageCount = Math.ceil(itemCount / pageSize);
  return { results: found.map(entityOf), itemCount, pageNumber, pageSize, pageCount };
}

/** Who made a change, of two columns. */
export function subjectOf(subjectId: unknown, userPrincipalName: unknown): object {
  return { subjectId, userPrincipalName };
}

/** A JSON column, read; null stays null. */
export function jsonOf(text: unknown): unknown {
  return text === null ? null : (JSON.parse(String(text)) as unknown);
}

/** Answers with an object, printed as a generated service does. */
export function sendObject(response: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value, null, 2);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
