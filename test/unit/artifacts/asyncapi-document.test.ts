import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { isGeneratedPath } from "../../../src/apply/project-path.js";
import { renderValid, type Texts } from "../../support/render-files.js";

const SPECIFICATION = createRequire(import.meta.url).resolve(
  "@asyncapi/specs/schemas/3.0.0-without-$id.json",
);
const PROPERTIES = "properties: { title: string }\n";
const ORDERS = `resource: orders\nentity: order\n${PROPERTIES}`;
const EVENTS = "events: [created, deleted]\n";

async function textsOf(schemas: Texts): Promise<Texts> {
  const { outputs } = await renderValid({ "service.yaml": "service: shop\n", ...schemas });
  return Object.fromEntries(outputs.map(({ path, text }) => [path, text ?? ""]));
}

test("the document of a version's events is AsyncAPI 3, and leads to what they show", async () => {
  const texts = await textsOf({
    "service.yaml":
      "service: shop\nlicense: Apache-2.0\ncontact: { name: Shop }\nevents: { source: /depots/7 }\n",
    "resources/v1/orders.yaml": ORDERS + EVENTS,
    "resources/v1/users.yaml": `resource: users\nentity: user\n${PROPERTIES}`,
  });
  const text = texts["asyncapi/v1.json"] ?? "";
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(JSON.parse(readFileSync(SPECIFICATION, "utf8")) as object);
  isValid(JSON.parse(text));
  expect(isValid.errors ?? []).toEqual([]);
  expect(JSON.parse(text)).toMatchObject({
    asyncapi: "3.0.0",
    channels: { orders: {} },
    components: {
      messages: {
        OrderCreated: {
          payload: {
            properties: {
              source: { const: "/depots/7" },
              type: { const: "shop.v1.orders.created" },
              data: { $ref: "../openapi/v1.json#/components/schemas/OrderDto" },
            },
          },
        },
        OrderDeleted: { payload: { properties: { data: { required: ["orderId"] } } } },
      },
    },
  });
  expect(text).not.toContain("User");
  const openApi = JSON.parse(texts["openapi/v1.json"] ?? "") as { components: { schemas: object } };
  expect(Object.keys(openApi.components.schemas)).toContain("OrderDto");
});

test("what is made of events stands where generated files may stand", async () => {
  const { outputs } = await renderValid({
    "service.yaml": "service: shop\n",
    "resources/v1/orders.yaml": ORDERS + EVENTS,
  });
  const paths = outputs.filter(({ owner }) => owner === "generator").map(({ path }) => path);
  expect(paths).toContain("asyncapi/v1.json");
  // `generator.lock` lists them, and refuses all others.
  expect(paths.filter((path) => !isGeneratedPath(path))).toEqual([]);
});

test("a version that announces nothing has none", async () => {
  const texts = await textsOf({ "resources/v1/orders.yaml": ORDERS });
  expect(Object.keys(texts).filter((path) => path.startsWith("asyncapi/"))).toEqual([]);
});
