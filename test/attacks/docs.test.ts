import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { places } from "../contract/support/process-tests.js";
import { memoryOf, spawnService } from "./support/spawned-service.js";

const CONNECTIONS = 200;
const BUNDLE = "/docs/static/swagger-ui-bundle.js";
const place = places();

test("200 who ask for the largest file of /docs share one copy of it", async () => {
  const { child, client } = await spawnService(place("docs"), "ignore");
  await client.send("GET", "/api/v1/widgets");
  const idle = memoryOf(child);
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(client.port, "127.0.0.1");
    socket.on("error", () => undefined).pause();
    socket.write(`GET ${BUNDLE} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  });
  let peak = 0;
  for (let probe = 0; probe < 60; probe += 1) {
    // A machine that takes a second to write 200 files may say for a while that it is busy (LIM-2).
    expect((await client.sendPatiently("GET", "/api/v1/widgets")).status).toBe(200);
    peak = Math.max(peak, memoryOf(child));
    await pause(20);
  }
  expect(peak - idle).toBeLessThan(150);
  for (const socket of sockets) socket.destroy();
  child.kill("SIGKILL");
});
