import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { compiled } from "../database/support/order-services.js";
import { renderValid } from "../support/render-files.js";

test("OPS-12: a service whose only POST is an action keeps its answers, too", async () => {
  const project = await renderValid({
    "service.yaml": "service: desk\n",
    "resources/v1/notes.yaml":
      "resource: notes\nentity: note\noperations: [list, read]\nproperties: { text: string }\nactions: { ping: {} }\n",
  });
  const { createService, registry } = await compiled("keys-of-actions", project);
  const service = await createService(registry);
  const url = `${await service.listen()}/api/v1/notes/${randomUUID()}/ping`;
  const headers = { "idempotency-key": randomUUID() };
  const statuses = [
    await fetch(url, { method: "POST", headers }),
    await fetch(url, { method: "POST", headers }),
  ];
  expect(statuses.map(({ status }) => status)).toEqual([404, 404]);
  await service.close();
});
