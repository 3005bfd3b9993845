import { expect, test } from "vitest";
import { BodyInput, type InputMode, InvalidBody } from "#runtime/input/bodies";
import { integer } from "#runtime/input/numbers";
import type { JsonObject } from "#runtime/input/json";
import {
  addedLater,
  gone,
  hidden,
  immutable,
  named,
  property,
  readerOfEntity,
  readerOfObject,
  serviceWritten,
} from "#runtime/input/objects";
import { required } from "#runtime/input/reader";
import { text } from "#runtime/input/text";
import { textFilter } from "#runtime/query/filters";
import { collectionQuery } from "#runtime/query/query";

interface Box {
  label: string;
  size: number;
  code: string;
  secret: string;
  fax: string;
  score: number;
}

const box = readerOfEntity<Box>({
  idProperty: "boxId",
  properties: {
    label: named("title", property(required(text({ maxLength: 40 })))),
    size: addedLater(property(required(integer()))),
    code: immutable(required(text({ maxLength: 40 }))),
    secret: hidden("none"),
    fax: gone(serviceWritten(text({ maxLength: 40 }), "-")),
    score: serviceWritten(integer(), 0),
  },
});

/** What is read, or the names that have an issue. */
function read(body: JsonObject, mode: InputMode = "whole"): unknown {
  const input = new BodyInput(body, mode);
  try {
    return input.finish(box.read(input, null, undefined));
  } catch (error) {
    return error instanceof InvalidBody ? error.fields.map(({ field }) => field) : error;
  }
}

test("a table says which names a body may hold, what each becomes, and what a PUT must contain", () => {
  const sent = { title: "a", size: 2, code: "c" };
  const made = { label: "a", size: 2, code: "c", secret: "none", fax: "-", score: 0 };
  expect(read(sent)).toEqual(made);
  expect(Object.keys(read(sent) as object)).toEqual(Object.keys(made));
  // What clients send of these has no effect (OPS-8, ENT-3).
  expect(read({ ...sent, boxId: "x", createdDate: "y", score: 5 })).toEqual(made);
  expect(read({ ...sent, label: "a", secret: "b", fax: "c" })).toEqual(["label", "secret", "fax"]);
  expect(read({ ...sent, fax: "1", score: 5 }, "own")).toEqual({ ...made, fax: "1", score: 5 });
  expect(box.replaced).toEqual(["title"]);
});

test("the compiler asks for each property, and takes no other one and no other type", () => {
  const a = property(required(text({ maxLength: 40 })));
  const b = property(required(integer()));
  readerOfObject<{ a: string; b: number }>({ a, b });
  // @ts-expect-error: Property 'b' is missing
  readerOfObject<{ a: string; b: number }>({ a });
  // @ts-expect-error: 'c' does not exist
  readerOfObject<{ a: string; b: number }>({ a, b, c: a });
  // @ts-expect-error: Type 'string' is not assignable to type 'number'
  readerOfObject<{ a: string; b: number }>({ a, b: a });
  expect(a).not.toBe(b);
});

test("a list that names what its table cannot compare is refused when the service starts", () => {
  const table = { columns: { label: { filter: textFilter() } } };
  const rest = { paging: { defaultSize: 20, maximumSize: 100 }, counted: true };
  const query = collectionQuery(table, {
    properties: { title: { filterable: true, sortable: true, stored: "label" } },
    ...rest,
  });
  expect(query).toMatchObject({ sorts: ["title"], stored: { title: "label" } });
  const unknown = { properties: { title: { filterable: true } }, ...rest } as const;
  expect(() => collectionQuery(table, unknown)).toThrow("the table has no filter for title");
});
