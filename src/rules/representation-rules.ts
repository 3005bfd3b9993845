import { rule, type RuleFamily } from "./rule.js";

/** REP: what values look like on the wire. */
export const REPRESENTATION: RuleFamily = {
  prefix: "REP",
  title: "representation",
  section: "2.4",
  rules: [
    rule({
      id: "REP-1",
      title: "Times are UTC texts in one form",
      asks: "`yyyy-MM-ddTHH:mm:ss.SSSZ`, in and out. Any other form, or a date that no calendar has, is a validation error.",
      why: "Two times compare as texts, and no zone has to be guessed.",
      example: {
        language: "json",
        wrong: '{ "closedDate": "2026-03-10T13:00:00+01:00" }',
        right: '{ "closedDate": "2026-03-10T12:00:00.000Z" }',
      },
      kept: {
        checks: ["check-values", "value-problem"],
        codes: ["SCH-15"],
        kernel: ["time", "scalar-readers", "filters"],
        openapi: ["components > schemas > Common.Entity > properties > createdDate > pattern"],
        tests: ["rep-1-times-are-utc-in-one-form"],
      },
    }),
    rule({
      id: "REP-2",
      title: "What is absent or unknown is null",
      asks: 'Never `""`, never left out, at every depth. Blank text sent for a property that may be null is stored as null; for a required one, or in an array, it is a validation error. A nullable object left out is null; `{}` is an object of nulls.',
      why: "There is one way to say nothing, and a client need not test for three.",
      example: {
        language: "json",
        wrong: '{ "company": "" }',
        right: '{ "company": null }',
      },
      kept: {
        kernel: ["reader", "body-input", "writer"],
        resource: ["validator", "serializer"],
        openapi: ["components > schemas > <Entity> > required"],
        tests: ["rep-2-absent-is-null"],
      },
    }),
    rule({
      id: "REP-3",
      title: "An empty collection is an empty list",
      asks: "Null or nothing sent for an array is `[]`; then `minItems` is checked. `required` adds nothing else.",
      why: "A loop needs no test before it.",
      example: {
        language: "json",
        wrong: '{ "tags": null }',
        right: '{ "tags": [] }',
      },
      kept: {
        kernel: ["list-reader", "writer"],
        resource: ["validator"],
        openapi: ["components > schemas > <Entity> > properties > <property> > items"],
        tests: ["rep-3-empty-collection-is-an-empty-list"],
      },
    }),
    rule({
      id: "REP-4",
      title: "A reference is an object that holds the other's identifier",
      asks: "It may embed more. On input only the identifier is read. A reference to nothing is a validation error on `merchant.merchantId`.",
      why: "A name can be added beside the identifier later without breaking anyone.",
      example: {
        language: "yaml",
        wrong: "merchantId: uuid",
        right: "merchant: { reference: merchants, embed: [name] }",
      },
      kept: {
        codes: ["REP-4", "SCH-36"],
        checks: ["check-property-name", "check-references", "check-cycles"],
        kernel: ["references"],
        resource: ["references", "serializer"],
        openapi: ["paths > /<resources> > post > requestBody"],
        tests: ["rep-4-references"],
      },
    }),
    rule({
      id: "REP-5",
      title: "Answers are pretty-printed",
      asks: "Two spaces, errors included; a setting turns it off.",
      why: "An answer is read by people first: with curl, in a log, in a ticket.",
      example: {
        language: "json",
        wrong: '{"results":[],"itemCount":0}',
        right: '{\n  "results": [],\n  "itemCount": 0\n}',
      },
      kept: {
        kernel: ["writer", "settings"],
        resource: ["serializer"],
        tests: ["rep-5-responses-are-pretty-printed"],
      },
    }),
    rule({
      id: "REP-6",
      title: "Answers are compressed for who accepts it",
      asks: "gzip when `Accept-Encoding` allows it, q-values included, with `Vary`; from 1,400 bytes up.",
      why: "A list is mostly repetition; what fits into a packet gains nothing.",
      example: {
        language: "http",
        wrong: "Accept-Encoding: gzip;q=0   -> Content-Encoding: gzip",
        right: "Accept-Encoding: gzip;q=0   -> no Content-Encoding, Vary: Accept-Encoding",
      },
      kept: {
        kernel: ["compression", "negotiation", "answers"],
        openapi: ["components > headers > Vary"],
        tests: ["rep-6-gzip-where-it-is-accepted"],
      },
    }),
    rule({
      id: "REP-7",
      title: "Another view of the same objects is another resource",
      asks: "It has its own properties (a part, or renamed), filter, operations and access over one store. It keeps the identifier of the object that it represents and shows the common fields, follows the original's filterable and sortable, and names the object's entity in errors. An object outside its filter is 404.",
      why: "Who may see less is given another address, not fields that are sometimes there.",
      example: {
        language: "http",
        wrong: "GET /api/v1/orders?view=merchant",
        right: "GET /api/v1/merchantorders",
      },
      kept: {
        codes: ["SCH-37"],
        checks: ["check-representation"],
        kernel: ["conditions", "repository", "query"],
        resource: ["representation", "serializer", "validator"],
        openapi: ["paths > /<resources> > get", "components > schemas > <Entity>"],
        tests: ["rep-7-representations", "rep-7-own-access", "rep-7-children"],
        unitTests: ["validate/representations"],
      },
    }),
    rule({
      id: "REP-8",
      title: "Every body is JSON",
      asks: "`application/json; charset=utf-8`. A body of another type, or of none, is 415; an `Accept` that excludes JSON is 406.",
      why: "What is sent is what is understood, and never guessed.",
      example: {
        language: "http",
        wrong: "Content-Type: text/plain            -> 201",
        right: "Content-Type: text/plain            -> 415 UnsupportedMediaTypeMessage",
      },
      kept: {
        kernel: ["negotiation", "answers"],
        openapi: ["paths > /<resources> > post > requestBody > content > application/json"],
        tests: ["rep-8-every-body-is-json"],
      },
    }),
  ],
};
