import { expect, test } from "vitest";
import { startService } from "./support/service.js";

const service = await startService();

test("a page past the end counts what there is, and nothing that it skips", async () => {
  const path = "/api/v1/widgets?name=drill&pageSize=2&pageNumber=";
  for (let count = 0; count < 3; count += 1)
    await service.create("/api/v1/widgets", { name: "drill" });
  const paging = { itemCount: 3, pageSize: 2, pageCount: 2 };
  expect(await service.read(`${path}2`)).toMatchObject({ ...paging, pageNumber: 2 });
  expect(await service.read(`${path}4`)).toEqual({ ...paging, results: [], pageNumber: 4 });
});
