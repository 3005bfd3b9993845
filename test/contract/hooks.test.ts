import { expect, test, vi } from "vitest";
import { apiErrorClass, customCode, type Values } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import {
  BADGES,
  EMPTY_WIDGET,
  FULL_WIDGET,
  MISSING,
  newBadge,
  pathOf,
  WIDGETS,
} from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService("contract", { ownErrors: true });
const widgets = await customCode("widgets");
const badges = await customCode("badges");
const ApiError = await apiErrorClass();

const post = async (body: Values) => service.send("POST", WIDGETS, { body });
const countOf = async (path: string) => (await service.read(path))["itemCount"];
const later = async () => new Promise((resolve) => setTimeout(resolve, 5));

test("beforeCreate changes what is stored, and what is answered", async () => {
  widgets.beforeCreate = async (widget) => {
    await later();
    widget["name"] = String(widget["name"]).toUpperCase();
    widget["tags"] = ["hooked"];
  };
  const made = await post({ name: "drill", tags: ["a"] });
  expect(made.json).toMatchObject({ name: "DRILL", tags: ["hooked"] });
  expect(await service.read(pathOf(WIDGETS, made.json))).toEqual(made.json);
});

test("beforeCreate sees the whole input, defaults and nulls included, and not the identifier", async () => {
  let seen: Values = {};
  widgets.beforeCreate = (widget) => {
    seen = structuredClone(widget);
  };
  await post({ name: "drill" });
  expect(seen).toEqual({ ...EMPTY_WIDGET, status: "draft" });
});

test("beforeCreate can write a read-only property", async () => {
  badges.beforeCreate = (badge) => {
    badge["score"] = 42;
  };
  const made = await service.create(BADGES, { ...newBadge("scored"), score: 1 });
  expect(made["score"]).toBe(42);
});

test("beforeCreate refuses with an ApiError, and nothing is stored", async () => {
  const before = await countOf(WIDGETS);
  widgets.beforeCreate = () => {
    throw new ApiError(403, "ForbiddenMessage", "This is not allowed.", {
      description: "Too many drills.",
    });
  };
  const { description } = expectError(await post({ name: "drill" }), 403, "ForbiddenMessage");
  expect(description).toBe("Too many drills.");
  expect(await countOf(WIDGETS)).toBe(before);
});

test("a hook never sees what validation refuses", async () => {
  let calls = 0;
  widgets.beforeCreate = () => {
    calls += 1;
  };
  expectError(await post({ name: "" }), 400, "ValidationFailedMessage");
  expect(calls).toBe(0);
});

test.each(["PUT", "PATCH"])(
  "beforeUpdate on a %s sees both sides, and changes the next",
  async (method) => {
    const made = await service.create(WIDGETS, { ...FULL_WIDGET, size: 1 });
    const seen: Values[] = [];
    widgets.beforeUpdate = async (next, stored) => {
      seen.push(structuredClone(next), structuredClone(stored));
      await later();
      next["note"] = `was ${String(stored["size"])}`;
    };
    const answer = await service.send(method, pathOf(WIDGETS, made), {
      body: { ...FULL_WIDGET, size: 2 },
    });
    expect(answer.json).toMatchObject({ size: 2, note: "was 1" });
    expect(seen[0]).toMatchObject({ size: 2, note: FULL_WIDGET.note });
    expect(seen[1]).toEqual(made);
  },
);

test("beforeUpdate may change a list or an object in place, and the change is stored", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const path = pathOf(WIDGETS, made);
  widgets.beforeUpdate = (next) => {
    // What a hook gets is its own to change.
    (next["tags"] as string[]).push("hooked");
    (next["deliveryAddress"] as unknown as Values)["city"] = "Ulm";
  };
  const answer = await service.send("PATCH", path, { body: {} });
  expect(answer.json).toMatchObject({
    tags: [...FULL_WIDGET.tags, "hooked"],
    deliveryAddress: { ...FULL_WIDGET.deliveryAddress, city: "Ulm" },
  });
  expect(await service.read(path)).toEqual(answer.json);
});

test("beforeUpdate refuses with an ApiError, and nothing changes", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const path = pathOf(WIDGETS, made);
  widgets.beforeUpdate = () => {
    throw new ApiError(409, "InvalidWidgetStateMessage", "The widget is not in a valid state.");
  };
  const answer = await service.send("PATCH", path, { body: { size: 5 } });
  expectError(answer, 409, "InvalidWidgetStateMessage");
  expect(await service.read(path)).toEqual(made);
});

test("beforeDelete refuses with an ApiError, and the entity stays", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const path = pathOf(WIDGETS, made);
  widgets.beforeDelete = async (stored) => {
    await later();
    if (stored["status"] === "open") {
      throw new ApiError(409, "InvalidWidgetStateMessage", "The widget is not in a valid state.");
    }
  };
  expectError(await service.send("DELETE", path), 409, "InvalidWidgetStateMessage");
  expect(await service.read(path)).toEqual(made);
  await service.send("PATCH", path, { body: { status: "closed" } });
  expect((await service.send("DELETE", path)).status).toBe(204);
});

test("afterCommit runs once for each change, with what was and what is, when a reader sees it already", async () => {
  const seen: unknown[] = [];
  widgets.afterCommit = async ({ kind, entity, previous }) => {
    const found = await service.send("GET", pathOf(WIDGETS, entity));
    seen.push([kind, entity["size"], previous === null ? null : previous["size"], found.status]);
  };
  const made = await service.create(WIDGETS, { name: "drill", size: 1 });
  const path = pathOf(WIDGETS, made);
  await service.send("PATCH", path, { body: { size: 2 } });
  await service.send("PUT", path, { body: { ...EMPTY_WIDGET, size: 3 } });
  await service.send("DELETE", path);
  await vi.waitFor(() => expect(seen).toHaveLength(4));
  expect(seen).toEqual([
    ["created", 1, null, 200],
    ["updated", 2, 1, 200],
    ["updated", 3, 2, 200],
    ["deleted", 3, 3, 404],
  ]);
});

test("afterCommit does not run where nothing changed or nothing was committed", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  let calls = 0;
  widgets.afterCommit = () => {
    calls += 1;
  };
  await service.send("PUT", pathOf(WIDGETS, made), { body: made });
  await service.send("PATCH", pathOf(WIDGETS, made), { body: { size: -1 } });
  await service.send("DELETE", `${WIDGETS}/${MISSING}`);
  await service.read(pathOf(WIDGETS, made));
  expect(calls).toBe(0);
});

test("a failure of afterCommit does not change the answer, and undoes nothing", async () => {
  const failures = [
    () => {
      throw new Error("the mail server is gone");
    },
    () => {
      throw new ApiError(403, "ForbiddenMessage", "This is not allowed.");
    },
    async () => Promise.reject(new Error("later")),
  ];
  for (const fail of failures) {
    widgets.afterCommit = fail;
    const made = await post({ name: "drill" });
    expect(made.status).toBe(201);
    const path = pathOf(WIDGETS, made.json);
    const changed = await service.send("PATCH", path, { body: { size: 1 } });
    expect(changed.status).toBe(200);
    expect(await service.read(path)).toEqual(changed.json);
    expect((await service.send("DELETE", path)).status).toBe(204);
  }
});

test("authorize is asked before every operation, with the entity where there is one", async () => {
  const made = await service.create(WIDGETS, { name: "drill" });
  const path = pathOf(WIDGETS, made);
  const asked: unknown[] = [];
  widgets.authorize = (operation, entity) => {
    asked.push([operation, entity === null ? null : entity["widgetId"]]);
  };
  await post({ name: "drill" });
  await service.read(WIDGETS);
  await service.read(path);
  await service.send("PUT", path, { body: EMPTY_WIDGET });
  await service.send("PATCH", path, { body: { size: 1 } });
  await service.send("DELETE", path);
  const id = made["widgetId"];
  expect(asked).toEqual([
    ["create", null],
    ["list", null],
    ["read", id],
    ["replace", id],
    ["update", id],
    ["delete", id],
  ]);
});

test("what authorize refuses is not done, and the other hooks are not asked", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const path = pathOf(WIDGETS, made);
  const before = await countOf(WIDGETS);
  const calls: string[] = [];
  Object.assign(widgets, {
    beforeCreate: () => calls.push("create"),
    beforeUpdate: () => calls.push("update"),
    beforeDelete: () => calls.push("delete"),
    authorize: async () => {
      await later();
      throw new ApiError(403, "ForbiddenMessage", "This is not allowed.");
    },
  });
  const refused = [
    await post({ name: "drill" }),
    await service.send("GET", WIDGETS),
    await service.send("GET", path),
    await service.send("PUT", path, { body: EMPTY_WIDGET }),
    await service.send("PATCH", path, { body: { size: 5 } }),
    await service.send("DELETE", path),
  ];
  for (const answer of refused) expectError(answer, 403, "ForbiddenMessage");
  expect(calls).toEqual([]);
  delete widgets.authorize;
  expect(await countOf(WIDGETS)).toBe(before);
  expect(await service.read(path)).toEqual(made);
});
