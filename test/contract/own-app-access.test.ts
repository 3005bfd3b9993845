import { expect, test } from "vitest";
import type { DeclaredRoute } from "../../templates/kernel/service/own-routes.js";
import type { Extension } from "../../templates/kernel/service/service.js";
import { MISSING } from "./support/samples.js";
import { newKeys, startKeyServer, startSecured, tokenOf } from "./support/secured.js";

const ECHO: DeclaredRoute = {
  method: "GET",
  path: "/api/v1/depots/{depotId}/label",
  handle: ({ id }: { readonly id: string }) => ({ id }),
};

/** What src/app.ts would add. */
function extension(routes: readonly DeclaredRoute[]): Extension {
  return { provided: {}, routes, checks: {}, onStop: () => undefined };
}

test("where callers have names, it asks for one unless it says otherwise", async () => {
  const keys = await newKeys("first");
  const issuer = await startKeyServer([keys.jwk]);
  const open: DeclaredRoute = { ...ECHO, path: "/api/v1/open", access: ["anyone"] };
  const clerks: DeclaredRoute = { ...ECHO, path: "/api/v1/clerks", access: ["role:clerk"] };
  const routes = [{ ...ECHO, path: "/api/v1/echo" }, open, clerks];
  const secured = await startSecured(issuer.url, { extension: extension(routes) });
  const statuses = async (headers: Readonly<Record<string, string>>) => {
    const paths = ["echo", "open", "clerks"].map((name) => `${secured.url}/api/v1/${name}`);
    const answers = await Promise.all(paths.map((path) => fetch(path, { headers })));
    return answers.map(({ status }) => status);
  };
  expect(await statuses({})).toEqual([401, 200, 401]);
  const authorization = `Bearer ${await tokenOf(keys, "ada")}`;
  expect(await statuses({ authorization })).toEqual([200, 200, 403]);
});

test("each method asks for its own access, whatever its path ends in", async () => {
  const keys = await newKeys("second");
  const issuer = await startKeyServer([keys.jwk]);
  const path = "/api/v1/reports/{reportId}";
  const grants = { GET: "role:clerk", PUT: "anyone", PATCH: "role:clerk", DELETE: "role:boss" };
  const routes = Object.entries(grants).map(([method, grant]) => {
    return { ...ECHO, path, method, access: [grant] } as DeclaredRoute;
  });
  const secured = await startSecured(issuer.url, { extension: extension(routes) });
  const statuses = async (headers: Readonly<Record<string, string>>) => {
    const url = `${secured.url}/api/v1/reports/${MISSING}`;
    const methods = ["GET", "HEAD", "PUT", "PATCH", "DELETE"];
    const answers = methods.map(async (method) => {
      const body = method.startsWith("P") ? { body: "{}" } : {};
      return fetch(url, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...body,
      });
    });
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const as = async (...roles: readonly string[]) =>
    statuses({ authorization: `Bearer ${await tokenOf(keys, "ada", roles)}` });
  expect(await statuses({})).toEqual([401, 401, 200, 401, 401]);
  expect(await as()).toEqual([403, 403, 200, 403, 403]);
  expect(await as("clerk")).toEqual([200, 200, 200, 200, 403]);
  expect(await as("clerk", "boss")).toEqual([200, 200, 200, 200, 200]);
});
