import fc from "fast-check";
import { expect, test } from "vitest";

import { quote, quoteOrNull, jsonItems, jsonPage, jsonSubject } from "#runtime/http/response";

const anyText = fc.string({ unit: "binary", maxLength: 80 });
const textWithHalves = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
  .map((units) => String.fromCharCode(...units));

test("a text is written as JSON.stringify writes it", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, textWithHalves, fc.string()), (text) => {
      expect(quote(text)).toBe(JSON.stringify(text));
    }),
    { numRuns: 2_000 },
  );
});

test("each single character is written as JSON.stringify writes it", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const text = String.fromCharCode(code);
    if (quote(text) !== JSON.stringify(text)) expect.fail(`character ${code}`);
  }
});

test("no text is null", () => {
  expect(quoteOrNull(null)).toBe("null");
  expect(quoteOrNull("null")).toBe('"null"');
});

interface Ticket {
  readonly title: string;
  readonly priority: number | null;
  readonly tags: readonly string[];
  readonly createdSubject: { readonly subjectId: string; readonly userPrincipalName: string };
}

const anyTicket: fc.Arbitrary<Ticket> = fc.record({
  title: anyText,
  priority: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  tags: fc.array(anyText, { maxLength: 4 }),
  createdSubject: fc.record({ subjectId: fc.uuid(), userPrincipalName: anyText }),
});

/** As an emitted serializer does it. */
function writeTicket(ticket: Ticket, line = "\n"): string {
  const inner = `${line}  `;
  return (
    `{${inner}"title": ${quote(ticket.title)},` +
    `${inner}"priority": ${ticket.priority},` +
    `${inner}"tags": ${jsonItems(ticket.tags, quote, inner)},` +
    `${inner}"createdSubject": ${jsonSubject(ticket.createdSubject, inner)}${line}}`
  );
}

function writeTicketCompactly(ticket: Ticket, line = ""): string {
  return (
    `{"title":${quote(ticket.title)},"priority":${ticket.priority},` +
    `"tags":${jsonItems(ticket.tags, quote, line)},` +
    `"createdSubject":${jsonSubject(ticket.createdSubject, line)}}`
  );
}

test("an entity has the bytes of JSON.stringify", () => {
  fc.assert(
    fc.property(anyTicket, (ticket) => {
      expect(writeTicket(ticket)).toBe(JSON.stringify(ticket, null, 2));
      expect(writeTicketCompactly(ticket)).toBe(JSON.stringify(ticket));
    }),
  );
});

test("a list of entities has the bytes of JSON.stringify", () => {
  fc.assert(
    fc.property(fc.array(anyTicket, { maxLength: 3 }), (tickets) => {
      expect(jsonItems(tickets, writeTicket, "\n")).toBe(JSON.stringify(tickets, null, 2));
      expect(jsonItems(tickets, writeTicketCompactly, "")).toBe(JSON.stringify(tickets));
    }),
  );
});

test("a page has the bytes of JSON.stringify, counted or not", async () => {
  const positive = fc.integer({ min: 1, max: 2 ** 31 });
  const itemCount = fc.option(fc.nat());
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTicket, { maxLength: 3 }),
      itemCount,
      positive,
      positive,
      async (...drawn) => {
        const [results, count, pageNumber, pageSize] = drawn;
        const shown = { results, itemCount: count, pageNumber, pageSize };
        const page = { ...shown, mostBytes: 4_194_304, last: null };
        const want =
          count === null
            ? { results, pageNumber, pageSize }
            : { ...shown, pageCount: Math.ceil(count / pageSize) };
        expect(await jsonPage(page, writeTicket)).toBe(JSON.stringify(want, null, 2));
        expect(await jsonPage(page, writeTicketCompactly, false)).toBe(JSON.stringify(want));
      },
    ),
  );
});

test("an empty result has no pages", async () => {
  const page = {
    results: [],
    itemCount: 0,
    pageNumber: 1,
    pageSize: 20,
    mostBytes: 1024,
    last: null,
  };
  expect(await jsonPage(page, writeTicket)).toBe(`{
  "results": [],
  "itemCount": 0,
  "pageNumber": 1,
  "pageSize": 20,
  "pageCount": 0
}`);
});
