import { ANSWERED_UUID } from "../../../src/kinds/uuid/uuid-kind.js";
import { expect, test } from "vitest";
import { kindOf } from "../../../src/kinds/kinds.js";
import { testKind } from "./kind-table.js";
import { mistakeOf, typeOf } from "./one-kind.js";

const requester = { reference: "users", embed: ["name"], onDelete: "setNull" } as const;
const merchant = { reference: "merchants", external: true } as const;

testKind({
  name: "reference",
  isReadElsewhere: true,
  models: [],
  good: [],
  bad: [
    {
      yaml: requester,
      value: { userId: "0190b5a4-7c3e-7abc-8def-0123456789ab" },
      want: "SCH-103: The default contains a reference, but a schema cannot know which entities exist.",
    },
  ],
  schemas: [
    {
      yaml: requester,
      use: "answer",
      want: {
        type: "object",
        required: ["userId", "name"],
        properties: {
          userId: ANSWERED_UUID,
          name: { type: ["string", "null"], maxLength: 40, readOnly: true },
        },
      },
    },
    {
      yaml: requester,
      use: "whole",
      want: {
        type: "object",
        required: ["userId"],
        properties: {
          userId: { type: "string", format: "uuid", "x-references": "users" },
          name: { readOnly: true },
        },
        additionalProperties: false,
      },
    },
  ],
  described: [
    { yaml: requester, want: "one of users; shown with name; null when that is deleted" },
    { yaml: merchant, want: "user of another service" },
  ],
  code: [
    {
      yaml: requester,
      want: {
        type: "TicketValue",
        reader: "reference",
        filter: null,
        column: "value: text",
        encode: "ticket.value.userId",
        "encode?": "ticket.value?.userId ?? null",
        decode: "decodeValue(row)",
        "decode?": "row.value === null ? null : decodeValue(row)",
        bind: null,
        write: "writeValue(ticket.value, inner)",
      },
    },
    {
      yaml: { type: "array", items: merchant },
      want: {
        type: "TicketValue[]",
        reader: "list(reference, { maxItems: 1000 })",
        filter: null,
        column: "value: json",
        encode: "JSON.stringify(ticket.value.map(({ userId }) => userId))",
        "encode?": "JSON.stringify(ticket.value.map(({ userId }) => userId))",
        decode: "jsonOf<string[]>(row.value).map((userId) => ({ userId }))",
        "decode?": "jsonOf<string[]>(row.value).map((userId) => ({ userId }))",
        bind: null,
        write: "jsonItems(ticket.value, writeValue, inner)",
      },
    },
  ],
});

test("a reference knows its target, its identifier and what it embeds", () => {
  expect(typeOf({ ...requester, filterable: true })).toMatchObject({
    kind: "reference",
    words: "user",
    target: { name: { plural: "users" } },
    identifier: { name: "userId", type: { kind: "uuid" }, nullable: false, filterable: true },
    // It is the other's own, so that nothing in it can be set, and it filters where the reference does.
    embedded: [{ name: "name", readOnly: true, unique: false, filterable: true }],
    onDelete: "setNull",
    isDisclosed: false,
    isParent: false,
  });
  expect(typeOf(requester)).toMatchObject({ embedded: [{ name: "name", filterable: false }] });
});

test("a made-up reference leads to what there is", () => {
  const type = typeOf(requester);
  const anchors = [{ userId: "0190b5a4-7c3e-7abc-8def-0123456789ab" }];
  const run = "0190b5a4-7c3e-7abc-8def-0123456789ac";
  const seeded = (found: typeof anchors): unknown =>
    kindOf(type).seeded(type, { run, index: 0, anchors: () => found }, "word");
  expect(seeded(anchors)).toEqual(anchors[0]);
  expect(seeded([])).toBeNull();
  expect(mistakeOf({}, requester)).not.toBeNull();
});
