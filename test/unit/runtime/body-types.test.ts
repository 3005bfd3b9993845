import { expect, expectTypeOf, test } from "vitest";
import type { InputOf, PartOf, ReferenceTo, ReplacementOf } from "#runtime/entity/entity-service";

interface Person extends ReferenceTo<"personId"> {
  personId: string;
  name: string;
}

interface Line {
  packer: Person;
  quantity: number;
  helpers: Person[];
}

interface Shown {
  buyer: Person;
  watchers: Person[];
  note: string | null;
  delivery: { driver: Person | null; floor: number } | null;
  lines: Line[];
  kind: "a" | "b";
}

type Input = InputOf<Shown, "watchers" | "kind" | "lines.helpers">;

const person = { personId: "1" };
const line = { packer: person, quantity: 1 };
const whole: Input = { buyer: person, lines: [line] };

test("a body gives references by their identifiers, and may leave out what is named and what can be null", () => {
  const full: Input = {
    ...whole,
    watchers: [person],
    note: null,
    delivery: { driver: person, floor: 1 },
    lines: [{ ...line, helpers: [person] }],
    kind: "a",
  };
  // @ts-expect-error What is embedded is not sent.
  const embedding: Input = { ...whole, buyer: { personId: "1", name: "n" } };
  // @ts-expect-error A list that may not be empty has to be there.
  const without: Input = { buyer: person };
  // @ts-expect-error So has what an object inside a list holds.
  const half: Input = { ...whole, lines: [{ packer: person }] };
  expect([full, embedding, without, half]).toHaveLength(4);
});

test("a PUT leaves out nothing but what is kept", () => {
  expectTypeOf<ReplacementOf<Input, "kind">>()
    .toHaveProperty("note")
    .toEqualTypeOf<string | null>();
  expectTypeOf<ReplacementOf<Input, "kind">["kind"]>().toEqualTypeOf<"a" | "b" | undefined>();
  expectTypeOf(whole).not.toExtend<ReplacementOf<Input>>();
});

test("a PATCH holds any part, also of an object, but no part of an item or a reference", () => {
  const part: PartOf<Input> = { delivery: { floor: 2 } };
  // @ts-expect-error An item is whole.
  const item: PartOf<Input> = { lines: [{ quantity: 2 }] };
  // @ts-expect-error A reference is its identifier.
  const reference: PartOf<Input> = { buyer: {} };
  expect([part, item, reference]).toHaveLength(3);
});
