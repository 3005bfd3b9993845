import fastify from "fastify";
import { expect, test, vi } from "vitest";
import { SCOPE_FAULTS } from "../../../templates/kernel/auth/scope-faults.js";
import { logScopeFaults } from "../../../templates/kernel/service/log-scope-faults.js";

test("what is wrong with conditions of own code is logged once, until the service is closed", async () => {
  const app = fastify();
  const warn = vi.spyOn(app.log, "warn");
  logScopeFaults(app);
  for (const fault of ["one", "one", "another"]) SCOPE_FAULTS.publish(fault);
  await app.close();
  SCOPE_FAULTS.publish("late");
  expect(warn.mock.calls).toEqual([["one"], ["another"]]);
});
