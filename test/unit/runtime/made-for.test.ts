import { expect, test } from "vitest";
import { checkMadeFor, GENERATED_DOORS, RUNTIME_VERSION } from "#runtime/base/package";
import { createService } from "#runtime/service/service";
import { plainRegistry } from "./fixture/plain-registry.js";

test.each(["v0", "v2", "", "0.1.0"])(
  "a service that was generated for the door '%s' is refused at the start, with what to do",
  async (madeFor) => {
    const starting = createService({ ...plainRegistry(), madeFor });
    await expect(starting).rejects.toMatchObject({
      name: "StartRefusal",
      message: expect.stringMatching(
        /^[^\n]*"npm install"[^\n]*"generator upgrade"[^\n]*$/,
      ) as string,
    });
    await expect(starting).rejects.toThrow(`generated/${madeFor} of`);
    await expect(starting).rejects.toThrow(`${RUNTIME_VERSION} is installed, which has v1`);
  },
);

test("a later door runs beside the earlier ones", () => {
  const doors = [...GENERATED_DOORS, "v2"];
  for (const door of doors) checkMadeFor(door, doors);
  expect(() => {
    checkMadeFor("v1", ["v2"]);
  }).toThrow("which has v2");
});
