import assert from "node:assert/strict";

/** What a user does with the help desk, the `round`-th time on its data. Throws where an answer is not the one to expect. */
export async function trySession(url: string, round: number): Promise<void> {
  const tickets = `${url}/api/v1/tickets`;
  const { location } = await send("POST", tickets, 201, {
    title: "The printer is out of paper",
    email: "desk@example.com",
    price: "12.5",
    tags: ["printer"],
  });
  const { body } = await send("PATCH", location, 200, { priority: 2 });
  assert.deepEqual([body["price"], body["priority"], body["tags"]], ["12.50", 2, ["printer"]]);
  assert.deepEqual((await send("GET", location, 200)).body, body);
  const list = await send("GET", `${tickets}?priority=2&tags=printer&sort=-createdDate`, 200);
  assert.deepEqual([firstOf(list.body), list.body["itemCount"]], [body, round]);
  await send("POST", tickets, 400, { title: "" });
  await send("GET", `${url}/api/v1/openapi.json`, 200);
  await send("GET", `${url}/readyz`, 200);
  const page = await fetch(`${url}/docs`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<html/i);
}

/** The latest of a list. */
function firstOf({ results }: Readonly<Record<string, unknown>>): unknown {
  assert.ok(Array.isArray(results));
  return results[0];
}

async function send(
  method: string,
  url: string,
  status: number,
  body?: Readonly<Record<string, unknown>>,
): Promise<{ readonly location: string; readonly body: Readonly<Record<string, unknown>> }> {
  const answer = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await answer.text();
  assert.equal(answer.status, status, `${method} ${url}: ${text}`);
  const parsed: unknown = JSON.parse(text);
  assert.ok(typeof parsed === "object" && parsed !== null);
  return { location: answer.headers.get("location") ?? "", body: { ...parsed } };
}
