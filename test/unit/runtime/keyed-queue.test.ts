import { expect, test } from "vitest";

import { KeyedQueue } from "#runtime/store/locks";

function filled(...items: readonly string[]): KeyedQueue<string> {
  const queue = new KeyedQueue<string>();
  // The first letter is the key.
  for (const item of items) queue.add(item[0], item);
  return queue;
}

/** What is left, in turn. */
function rest(queue: KeyedQueue<string>): readonly string[] {
  const found: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) found.push(item);
  return found;
}

test("the keys have turns, and items of one key come in order", () => {
  expect(rest(filled("a1", "a2", "a3", "b1", "c1", "b2"))).toEqual([
    "a1",
    "b1",
    "c1",
    "a2",
    "b2",
    "a3",
  ]);
});

test("keys that are not suitable let others pass, and keep their place", () => {
  const queue = filled("a1", "b1", "b2", "c1");
  expect(queue.next((key) => key !== "a")).toBe("b1");
  expect(queue.next((key) => key === "d")).toBeUndefined();
  expect([queue.waiting, rest(queue)]).toEqual([3, ["a1", "c1", "b2"]]);
});

test("what is not suitable lets others pass, and keeps its place", () => {
  const queue = filled("a1", "a2", "b1");
  expect(queue.nextWhere((item) => item.endsWith("2"))).toBe("a2");
  expect(queue.nextWhere((item) => item.endsWith("3"))).toBeUndefined();
  expect([queue.waiting, rest(queue)]).toEqual([2, ["b1", "a1"]]);
});

test("one that is removed has no turn, and can be removed once", () => {
  const queue = filled("a1", "b1", "b2");
  expect([queue.remove("a", "a1"), queue.remove("a", "a1"), queue.remove("c", "b1")]).toEqual([
    true,
    false,
    false,
  ]);
  expect([queue.waiting, rest(queue)]).toEqual([2, ["b1", "b2"]]);
});

test("whoever has most waiting loses the newest", () => {
  const queue = filled("a1", "b1", "b2", "b3", "c1", "c2");
  expect(queue.dropNewest()).toBe("b3");
  expect([queue.waiting, rest(queue)]).toEqual([5, ["a1", "b1", "c1", "b2", "c2"]]);
  expect(queue.dropNewest()).toBeUndefined();
});

test("what is due is taken from the head of each key", () => {
  const queue = filled("a1", "a2", "b2", "b1");
  expect(queue.takeWhile((item) => item.endsWith("1"))).toEqual(["a1"]);
  expect([queue.waiting, rest(queue)]).toEqual([3, ["a2", "b2", "b1"]]);
});
