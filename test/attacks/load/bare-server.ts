// Answers every request with the bytes that it is sent first: what Node's own server does under a load.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

process.once("message", (sent) => {
  const body = String(sent);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  };
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  // A server that listens on a port has an address with one.
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
});
process.once("disconnect", () => process.exit());
