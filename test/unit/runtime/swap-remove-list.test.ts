import { expect, test } from "vitest";
import { SwapRemoveList, type Placed } from "#runtime/http/admission";

interface Named extends Placed {
  readonly name: string;
}

function named(name: string): Named {
  return { name, place: -1 };
}

test("what is removed is gone, wherever it stood, and everything else is still there", () => {
  for (const gone of ["a", "b", "c"]) {
    const all = new SwapRemoveList<Named>();
    const items = ["a", "b", "c"].map(named);
    for (const item of items) all.add(item);
    for (const item of items) if (item.name === gone) all.remove(item);
    const left = items.filter(({ name }) => name !== gone);
    expect(all.all.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual(left);
    for (const item of left) all.remove(item);
    expect(all.size).toBe(0);
  }
});

test("what is removed twice takes nothing else with it, and can come again", () => {
  const all = new SwapRemoveList<Named>();
  const [first, second] = [named("a"), named("b")];
  all.add(first);
  all.add(second);
  all.remove(first);
  all.remove(first);
  expect(all.all).toEqual([second]);
  all.add(first);
  expect(all.size).toBe(2);
});
