import { expect, test } from "vitest";
import { Warnings } from "../../../templates/kernel/base/warnings.js";

test("each warning is logged once, by each service", () => {
  const logged: string[] = [];
  const log = { warn: (text: string): void => void logged.push(text) };
  const warnings = new Warnings(log);
  for (const text of ["one", "one", "another"]) warnings.add(text);
  new Warnings(log).add("one");
  expect(logged).toEqual(["one", "another", "one"]);
});
