import { expect, test } from "vitest";
import { RUNTIME_VERSION } from "#runtime/base/runtime-version";
import { createService } from "#runtime/service/service";
import { plainRegistry } from "./fixture/plain-registry.js";

test.each(["0.0.9", "1.0.0", "", `${RUNTIME_VERSION}-pre`])(
  "a service that was generated for runtime '%s' is refused at the start, with what to do",
  async (madeFor) => {
    const starting = createService({ ...plainRegistry(), madeFor });
    await expect(starting).rejects.toMatchObject({
      name: "StartRefusal",
      message: expect.stringMatching(
        /^[^\n]*"npm install"[^\n]*"generator upgrade"[^\n]*$/,
      ) as string,
    });
    await expect(starting).rejects.toThrow(`${madeFor}, and ${RUNTIME_VERSION} is installed`);
  },
);
