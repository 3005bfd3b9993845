import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { compile } from "../../mutants/mutated-services.js";
import { verifyAt } from "../../mutants/verifying.js";
import { failuresOf } from "../../random/trial-of-service.js";
import { renderValid } from "../../support/render-files.js";
import { ServiceHost } from "../../support/service-host.js";
import { runtimeFile } from "../../support/runtime.js";

const host = new ServiceHost();
afterAll(() => host.stop());

const USERS =
  "resource: users\nentity: user\nproperties:\n  name: { type: string, maxLength: 20 }\n";
const { model, outputs } = await renderValid({
  "service.yaml": "service: desk\nversions: { v1: draft, v2: draft }\n",
  "resources/v1/users.yaml": `${USERS}  phone: { type: string, maxLength: 20 }\n`,
  "resources/v2/users.yaml": `${USERS}  telephone: { type: string, maxLength: 40, converted: true }\n`,
});
const CONVERSION = `
export const usersV1ToV2 = {
  toNewer: ({ phone }) => ({ telephone: phone }),
  toOlder: ({ telephone }) => ({ phone: telephone }),
};
`;

const CHECK = "if (report.size > 0) throw new OwnCodeFault(code, report.issues);";

/** What verify finds in VER-2 with a text of the runtime replaced. */
async function verdict(name: string, find: string, replace: string) {
  const texts = outputs.map(({ path, text }): readonly [string, string] => {
    if (path === "src/custom/conversions/users-v1-to-v2.ts") return [path, CONVERSION];
    return [path, text ?? ""];
  });
  const path = runtimeFile("entity/conversion");
  const source = readFileSync(path, "utf8");
  expect(source).toContain(find);
  const replaced = { path, text: source.replace(find, replace) };
  const url = await host.start(await compile(name, Object.fromEntries(texts), replaced));
  return verifyAt(model, url, { rules: ["VER-2"] });
}

test("a service that refuses what an older version cannot show keeps VER-2", async () => {
  const found = await verdict("refusing", CHECK, CHECK);
  expect(failuresOf(found)).toEqual([]);
  expect(found.verdicts.map(({ outcome }) => outcome)).toEqual(["pass"]);
});

test("verify sees a service that stores it all the same", async () => {
  const found = await verdict("storing", CHECK, "");
  expect(found.verdicts.map(({ outcome }) => outcome)).toEqual(["fail"]);
});
