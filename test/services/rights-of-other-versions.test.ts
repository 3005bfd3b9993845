import { stringify } from "yaml";
import { expect, test } from "vitest";
import { newKeys, startKeyServer, tokenOf, ISSUER, AUDIENCE } from "../contract/support/secured.js";
import { compiled, type Yaml } from "../database/support/order-services.js";
import { renderValid } from "../support/render-files.js";

// AUT-2: what a deletion takes along needs the right to it, whichever version has the resource that says so.

const ACCESS = { read: ["authenticated"], create: ["authenticated"], update: ["authenticated"] };
const ARTICLE = {
  resource: "articles",
  entity: "article",
  properties: { title: "string" },
  access: { ...ACCESS, delete: ["authenticated"] },
};

function child(resource: string, parent: string, deletion: readonly string[]): Yaml {
  const entity = resource.slice(0, -1);
  return {
    ...{ resource, entity, parent, properties: { text: "string" } },
    access: { ...ACCESS, delete: deletion },
  };
}

const keys = await newKeys("only");
const server = await startKeyServer([keys.jwk]);
const writer = await tokenOf(keys, "writer");
const admin = await tokenOf(keys, "admin", ["admin"]);

/** A service with two versions of articles; `newer` stands in v2 alone, `older` in v1 alone. */
async function started(name: string, newer: readonly Yaml[], older: readonly Yaml[] = []) {
  const files = [
    ...[ARTICLE, ...older].map((yaml) => ["v1", yaml] as const),
    ...[ARTICLE, ...newer].map((yaml) => ["v2", yaml] as const),
  ];
  const removed = Object.fromEntries(older.map((one) => [String(one["resource"]), "gone"]));
  const authentication = { issuer: ISSUER, audience: AUDIENCE, keys: server.url };
  const project = await renderValid({
    "service.yaml": stringify({
      service: "store",
      versions: { v1: "draft", v2: { status: "draft", ...(older.length > 0 && { removed }) } },
      authentication: { scheme: "bearer", ...authentication, roles: "realm_access.roles" },
    }),
    ...Object.fromEntries(
      files.map(([version, yaml]) => [
        `resources/${version}/${String((yaml as Yaml)["resource"])}.yaml`,
        stringify(yaml),
      ]),
    ),
  });
  const { createService, registry } = await compiled(`rights-${name}`, project);
  const service = await createService(registry, {
    authentication: { scheme: "bearer", ...authentication, roles: "realm_access.roles" },
  });
  const base = `${await service.listen()}/api`;
  const send = async (token: string, method: string, path: string, body?: Yaml) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(base + path, sent);
    const text = await answer.text();
    return { status: answer.status, json: (text === "" ? {} : JSON.parse(text)) as Yaml };
  };
  const create = async (path: string): Promise<string> => {
    const { json } = await send(admin, "POST", path, {});
    return String(Object.entries(json).find(([key]) => key.endsWith("Id"))?.[1]);
  };
  return { send, create, close: async () => service.close() };
}

test.each([
  { where: "v2", name: "newer", asks: "v1" },
  { where: "v1", name: "older", asks: "v2" },
])("a child that only $where has is not deleted through $asks by who may not", async (one) => {
  const marks = [child("marks", "articles", ["role:admin"])];
  const [newer, older] = one.where === "v2" ? [marks, []] : [[], marks];
  const service = await started(one.name, newer, older);
  const article = await service.create("/v1/articles");
  const mark = await service.create(`/${one.where}/articles/${article}/marks`);
  for (const version of ["v1", "v2"]) {
    const refused = await service.send(writer, "DELETE", `/${version}/articles/${article}`);
    expect(refused.status, version).toBe(403);
    expect((await service.send(writer, "GET", `/${one.where}/marks/${mark}`)).status).toBe(200);
  }
  expect((await service.send(admin, "DELETE", `/${one.asks}/articles/${article}`)).status).toBe(
    204,
  );
  expect((await service.send(admin, "GET", `/${one.where}/marks/${mark}`)).status).toBe(404);
  await service.close();
});

test.each([
  {
    read: ["authenticated"],
    name: "told",
    said: "Its marks would be deleted as well, and the caller may not delete them.",
  },
  { read: ["role:admin"], name: "kept", said: undefined },
  { read: ["owner", "role:admin"], name: "own", said: undefined },
])(
  "a deletion that a child forbids says so to who may read it ($read)",
  async ({ read, name, said }) => {
    const mark = child("marks", "articles", ["role:admin"]);
    const hidden = { ...mark, access: { ...(mark["access"] as Yaml), read } };
    const spot = child("spots", "articles", ["authenticated"]);
    const service = await started(`said-${name}`, [hidden, spot]);
    const article = await service.create("/v2/articles");
    await service.create(`/v2/articles/${article}/spots`);
    await service.create(`/v2/articles/${article}/marks`);
    const { status, json } = await service.send(writer, "DELETE", `/v2/articles/${article}`);
    const [error] = json["errors"] as readonly Yaml[];
    expect(status).toBe(403);
    expect(error).toMatchObject({ type: "ForbiddenMessage", message: "This is not allowed." });
    expect(error?.["description"] ?? undefined).toEqual(said);
    await service.close();
  },
);

test("a child of a child that only v2 has is not deleted through v1 by who may not", async () => {
  const service = await started("deeper", [
    child("parts", "articles", ["authenticated"]),
    child("marks", "parts", ["role:admin"]),
  ]);
  const article = await service.create("/v1/articles");
  const part = await service.create(`/v2/articles/${article}/parts`);
  await service.create(`/v2/parts/${part}/marks`);
  for (const version of ["v1", "v2"]) {
    const { status } = await service.send(writer, "DELETE", `/${version}/articles/${article}`);
    expect(status, version).toBe(403);
  }
  expect((await service.send(admin, "DELETE", `/v1/articles/${article}`)).status).toBe(204);
  await service.close();
});
