import { expect, test } from "vitest";
import { expectFields, resultsOf } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";
import { startService } from "./support/service.js";

const PALLETS = "/api/v1/pallets";
const NOW = Date.parse("2026-03-10T12:00:00.000Z");
const clock = { now: NOW };
const service = await startService("contract", { clock: () => clock.now });
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

for (const pallet of [
  { title: "a", status: "stored", bestBefore: "2026-03-31", packedDate: at(-30) },
  { title: "b", status: "loaded", bestBefore: "2026-03-31", weight: 100, bay: 2 },
  { title: "c", status: "loaded", weight: 100.5, bay: 3 },
  { title: "d", status: "sent", weight: 500, bestBefore: "2026-03-31", packedDate: at(-61) },
  { title: "e", status: "loaded", price: "1000.00" },
  { title: "f", status: "stored", price: "1000.00", bay: 1, weight: 0 },
]) {
  await service.create(PALLETS, pallet);
  clock.now += 1;
}
clock.now = NOW;

async function titles(path: string, name = "title"): Promise<string> {
  const page = await service.read(`/api/v1/${path}`);
  return resultsOf(page)
    .map((result) => String(result[name]))
    .join("");
}

test("an alias may have a sort alone", async () => {
  expect(await titles("pallets/newest")).toBe("fedcba");
  expect(await titles("pallets/heaviest")).toBe("dcbfae");
  expect(await titles("pallets/newest?sort=title")).toBe("abcdef");
});

test("alternatives: all conditions of one of them hold, and all others beside them", async () => {
  expect(await titles("pallets/due")).toBe("ace");
});

test("an alternative may be a window, and a list of values", async () => {
  expect(await titles("pallets/fresh")).toBe("abf");
});

test("the caller's filters, sort and pages go with alternatives, and they are counted", async () => {
  expect(await titles("pallets/due?sort=-title")).toBe("eca");
  expect(await titles("pallets/due?status=loaded&weight.atLeast=100")).toBe("c");
  const page = await service.read("/api/v1/pallets/due?pageSize=1&pageNumber=3");
  expect(page).toMatchObject({ itemCount: 3, pageCount: 3, results: [{ title: "e" }] });
});

test("a representation may show alternatives, alone and within an alias of its own", async () => {
  expect(await titles("restingpallets?sort=label", "label")).toBe("adf");
  expect(await titles("restingpallets/lowest", "label")).toBe("f");
});

test("an alias refuses what its collection refuses", async () => {
  expectFields(await service.send("GET", `${PALLETS}/newest?bay.atLeast=x`), "bay.atLeast");
});

test("the document says what an alias finds", async () => {
  const document = await service.read("/api/v1/openapi.json");
  expect(document).toMatchObject({
    paths: {
      "/pallets/due": {
        get: {
          description: expect.stringContaining(
            "either `status` is <code>stored</code> and `bestBefore` is less than <code>2026-04-01</code>, or `weight`",
          ),
        },
      },
      "/pallets/newest": {
        get: { description: expect.stringContaining("Sorted by -createdDate") },
      },
    },
  });
});

const keys = await newKeys("only");
const server = await startKeyServer([keys.jwk]);
const secured = await startSecured(server.url);
const [ann, bob] = [await tokenOf(keys, "ann"), await tokenOf(keys, "bob")];
const memos = [
  { by: ann, text: "a", isShared: false },
  { by: bob, text: "b", isShared: false },
  { by: bob, text: "c", isShared: true },
  { by: null, text: "d", isShared: false },
];
for (const { by, ...body } of memos) {
  expect((await sendAs(secured, by, ["POST", "/api/v1/memos"], body)).status).toBe(201);
}

async function texts(path: string, as: string | null): Promise<string> {
  const answer = await sendAs(secured, as, ["GET", `/api/v1/${path}`]);
  expect(answer.status).toBe(200);
  return resultsOf(answer.json)
    .map(({ text }) => String(text))
    .join("");
}

test("mine is what the caller has made; nobody has made what nobody said to have made", async () => {
  expect(await texts("memos/mine", ann)).toBe("a");
  expect(await texts("memos/mine", bob)).toBe("bc");
  expect(await texts("memos/mine", null)).toBe("");
});

test("mine may be one of several alternatives", async () => {
  expect(await texts("memos/relevant", ann)).toBe("ac");
  expect(await texts("memos/relevant", null)).toBe("c");
});

test("in a representation, what is not the caller's is not there", async () => {
  expect(await texts("ownmemos?sort=text", bob)).toBe("bc");
  const page = await sendAs(secured, ann, ["GET", "/api/v1/memos?sort=text"]);
  const ids = resultsOf(page.json).map(({ memoId }) => String(memoId));
  const statuses = await Promise.all(
    ids.map(async (id) => (await sendAs(secured, ann, ["GET", `/api/v1/ownmemos/${id}`])).status),
  );
  expect(statuses).toEqual([200, 404, 404, 404]);
});
