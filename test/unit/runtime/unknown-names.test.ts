import { expect, test } from "vitest";
import { BusinessRules } from "#runtime/entity/problems";
import { InvalidBody } from "#runtime/input/bodies";

const PROPERTIES = 50;
const numbers = Array.from({ length: PROPERTIES }, (_, index) => index);
/** What was read, and what an older version calls it. */
const READ = Object.fromEntries(numbers.map((index) => [`stored${index}`, index]));
const RENAMED = Object.fromEntries(numbers.map((index) => [`stored${index}`, `shown${index}`]));

/** How often a name of a version is looked at where a body has so many unknown ones, and what a rule is shown then. */
function refused(count: number, renamed: Readonly<Record<string, string>>) {
  let reads = 0;
  const names = new Proxy(renamed, {
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name);
    },
  });
  const fields = Array.from({ length: count }, (_, index) => {
    return { field: `unknown${index}`, message: "is not known" };
  });
  const wrong = [...fields, { field: "shown7", message: "is wrong" }];
  const rules = BusinessRules.ofInvalid<Record<string, unknown>>(
    new InvalidBody(wrong, READ),
    names,
  );
  return { rules, reads };
}

test("however many names a body has that nothing has, those of the version are looked at once", () => {
  const few = refused(10, RENAMED);
  const many = refused(10_000, RENAMED);
  expect(few.reads).toBe(PROPERTIES);
  expect(many.reads).toBe(PROPERTIES);
});

test("a rule is shown no more names than an answer lists, and ends at each of them", async () => {
  const { rules } = refused(10_000, RENAMED);
  const shown = Object.keys(rules.next);
  expect(shown.length).toBe(PROPERTIES + 100);
  const readable: string[] = [];
  for (const name of shown) {
    await rules.ask(() => {
      if (rules.next[name] !== undefined) readable.push(name);
    });
  }
  // All but the one that has a problem, by its stored name.
  expect(readable).toEqual(Object.keys(READ).filter((name) => name !== "stored7"));
  expect(rules.told).toHaveLength(10_001);
});
