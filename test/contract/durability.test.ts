import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { allWidgets, pause, places, postWidget, stop } from "./support/process-tests.js";
import { FULL_WIDGET, pathOf, WIDGETS } from "./support/samples.js";
import { startProcess } from "./support/service-process.js";

const place = places();

test("kill -9 in the middle of 1,000 concurrent POSTs loses nothing that was answered 201", async () => {
  const cwd = place("killed");
  const answered: JsonObject[] = [];
  for (const after of [1, 100, 250, 400]) {
    const running = startProcess(cwd, { LOG_LEVEL: "info" });
    const client = await running.ready;
    let count = 0;
    let broken = 0;
    await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        const made = await postWidget(client, { ...FULL_WIDGET, size: index });
        if (made === null) broken += 1;
        else answered.push(made);
        count += 1;
        if (count === after) running.child.kill("SIGKILL");
      }),
    );
    expect((await running.ended).code).toBeNull();
    // The kill has come in the middle, or the test has shown nothing.
    expect(broken).toBeGreaterThan(0);
  }
  const restarted = startProcess(cwd);
  const client = await restarted.ready;
  const stored = new Map((await allWidgets(client)).map((widget) => [widget["widgetId"], widget]));
  const lost = answered.filter((widget) => !stored.has(widget["widgetId"]));
  expect(lost).toEqual([]);
  expect(answered.length).toBeGreaterThanOrEqual(4);
  for (const widget of answered) expect(stored.get(widget["widgetId"])).toEqual(widget);
  // What was stored and not answered is whole as well.
  for (const widget of stored.values()) {
    expect(widget).toMatchObject({ ...FULL_WIDGET, size: widget["size"] });
  }
  expect(await stop(restarted)).toBe(0);
});

test("kill -9 in the middle of updates and deletes keeps what was answered", async () => {
  const cwd = place("updated");
  const first = startProcess(cwd);
  const client = await first.ready;
  const made = await Promise.all(
    Array.from({ length: 40 }, async () => client.create(WIDGETS, { name: "counter", size: 0 })),
  );
  const sizes = new Map<string, number>();
  const gone = new Set<string>();
  const change = async (path: string, size: number): Promise<void> => {
    const answer = await client.send("PATCH", path, { body: { size } });
    if (answer.status === 200) sizes.set(path, size);
  };
  const work = made.map(async (widget, index) => {
    const path = pathOf(WIDGETS, widget);
    const isShort = index % 4 === 0;
    try {
      for (let size = 1; !isShort || size < 20; size += 1) await change(path, size);
      if ((await client.send("DELETE", path)).status === 204) gone.add(path);
    } catch {
      // The connection broke: the rest of this client's work was never answered.
    }
  });
  await pause(1500);
  first.child.kill("SIGKILL");
  await Promise.all(work);
  const second = startProcess(cwd);
  const again = await second.ready;
  expect(Math.max(...sizes.values())).toBeGreaterThan(1);
  for (const [path, size] of sizes) {
    const answer = await again.send("GET", path);
    if (gone.has(path)) expect(answer.status).toBe(404);
    // A DELETE that was on its way when the process ended may have been carried out.
    else if (answer.status === 200) expect([size, size + 1]).toContain(answer.json["size"]);
    else expect(size).toBe(19);
  }
  expect(await stop(second)).toBe(0);
});
