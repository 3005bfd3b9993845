// Answers every request with one body: `canned.ts node|fastify <body>`. What no server of its kind can be faster than.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { answerParent } from "../support/answer-parent.js";

const [kind = "", body = ""] = process.argv.slice(2);
const TYPE = "application/json; charset=utf-8";

if (kind === "fastify") {
  const app = fastify();
  app.get("*", (_request, reply) => {
    reply.header("content-type", TYPE).send(body);
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  answerParent(Number(new URL(url).port), () => app.close());
} else {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": TYPE, "content-length": Buffer.byteLength(body) });
    response.end(body);
  });
  server.listen(0, "127.0.0.1", () => {
    // A server that listens on a port has an address with one.
    answerParent((server.address() as AddressInfo).port, () => {
      server.close();
      server.closeAllConnections();
    });
  });
}
