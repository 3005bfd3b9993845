import { rule, type RuleFamily } from "./rule.js";

/** NAM: how things are called. */
export const NAMING: RuleFamily = {
  prefix: "NAM",
  title: "naming",
  section: "2.1",
  rules: [
    rule({
      id: "NAM-1",
      title: "A resource name is a plural noun in lower case",
      asks: "The name matches `^[a-z][a-z0-9]*$`: no hyphen, underscore or capital. Its head noun is a plural; `inflections` in service.yaml lists those that are not recognised, and `exempt` frees one resource. Verbs and adjectives get a warning.",
      why: "A name is a segment of a URL, and with one form for all nobody has to look it up.",
      example: {
        language: "yaml",
        wrong: "resource: shipping_fees",
        right: "resource: shippingfees",
      },
      kept: {
        codes: ["NAM-1"],
        checks: ["check-resource-name", "check-plural-noun"],
        resource: ["controller"],
        openapi: ["paths > /<resources>"],
      },
    }),
    rule({
      id: "NAM-2",
      title: "Names of properties and parameters are camelCase",
      asks: "The name matches `^[a-z][a-zA-Z0-9]*$`, at every depth.",
      why: "Properties look alike in every service, and are valid names in every language.",
      example: {
        language: "yaml",
        wrong: "properties: { first_name: string }",
        right: "properties: { firstName: string }",
      },
      kept: {
        codes: ["NAM-2"],
        checks: ["check-property-name"],
        entity: ["entity"],
        openapi: ["components > schemas > <Entity> > properties"],
      },
    }),
    rule({
      id: "NAM-3",
      title: "An array has a plural name",
      asks: "The head noun of the name is a plural (`daysOfWeek`, `tagsV2`), by the same inflections as names of resources; `inflections` in service.yaml lists exceptions, and `exempt` frees one array, with a reason.",
      why: "The name tells the reader that there can be several values.",
      example: {
        language: "yaml",
        wrong: "emailAddress: { type: array, items: string }",
        right: "emailAddresses: { type: array, items: string }",
      },
      kept: {
        codes: ["NAM-3"],
        checks: ["check-property-name"],
        tests: ["names-are-served-as-they-are-written"],
      },
    }),
    rule({
      id: "NAM-4",
      title: "An enum value is a camelCase string",
      asks: "Each value matches `^[a-z][a-zA-Z0-9]*$`. On input it is compared letter by letter.",
      why: "Values look alike in every service.",
      example: {
        language: "yaml",
        wrong: "colour: { enum: [NavyBlue, in_progress] }",
        right: "colour: { enum: [navyBlue, inProgress] }",
      },
      kept: {
        codes: ["NAM-4"],
        checks: ["check-enum"],
        runtime: ["input/enum-reader"],
        entity: ["reader"],
        resource: ["validator"],
        openapi: ["components > schemas > <Entity> > properties > <property> > enum"],
        tests: ["names-are-served-as-they-are-written"],
      },
    }),
    rule({
      id: "NAM-5",
      title: "Names of aliases, actions and representations are in lower case",
      asks: "They match `^[a-z][a-z0-9]*$`, like names of resources.",
      why: "They are segments of a URL too.",
      example: {
        language: "yaml",
        wrong:
          "aliases: { recentlyClosed: { where: { status: closed } } }\nactions: { handOut: { leadsTo: lent } }",
        right:
          "aliases: { recentlyclosed: { where: { status: closed } } }\nactions: { handout: { leadsTo: lent } }",
      },
      kept: {
        codes: ["NAM-5"],
        checks: ["check-resource-name", "check-actions"],
        openapi: ["paths > /<resources>/<alias>"],
        tests: ["names-are-served-as-they-are-written"],
      },
    }),
  ],
};

/** IDN: what an entity is known by. */
export const IDENTIFIERS: RuleFamily = {
  prefix: "IDN",
  title: "identifiers",
  section: "2.2",
  rules: [
    rule({
      id: "IDN-1",
      title: "An identifier is a UUID that the service makes",
      asks: "Unique across resources and instances, written 8-4-4-4-12 in lower case, never a counter.",
      why: "A counter reveals how many there are, and rows of two databases would clash.",
      example: {
        language: "json",
        wrong: '{ "orderId": 42 }',
        right: '{ "orderId": "01a1fcbe-d5d2-7534-88aa-5d45aca49810" }',
      },
      kept: {
        runtime: ["base/identifiers"],
        openapi: ["paths > /<resources>/{<entity>Id} > parameters > <entity>Id > schema > format"],
      },
    }),
    rule({
      id: "IDN-2",
      title: "The identifier is called after the entity",
      asks: "It is the camelCase singular and `Id`. `entity` gives the singular, because the plural has lost its word boundaries.",
      why: "An identifier says what it is wherever it is copied to.",
      example: {
        language: "yaml",
        wrong: "resource: shippingfees\nentity: ShippingFees",
        right: "resource: shippingfees\nentity: shippingFee    # shippingFeeId",
      },
      kept: {
        codes: ["IDN-2", "SCH-117"],
        checks: ["check-resource-name", "check-plural-noun", "check-property-name"],
        entity: ["entity"],
        openapi: ["components > schemas > <Entity> > properties > <entity>Id"],
      },
    }),
    rule({
      id: "IDN-3",
      title: "Identifiers are ordered by time, unless random ones are asked for",
      asks: "UUID version 7; with `identifiers: random`, version 4.",
      why: "New rows are written at one end of the index. A database that is sharded by range needs them spread out.",
      example: {
        language: "yaml",
        wrong: "identifiers: sequence",
        right: "identifiers: random",
      },
      kept: {
        codes: ["SCH-10"],
        checks: ["shape-findings"],
        runtime: ["base/identifiers"],
        files: ["src/generated/settings.ts"],
        tests: ["idn-3-identifiers-are-ordered-or-random"],
      },
    }),
    rule({
      id: "IDN-4",
      title: "An upper-case UUID is accepted; a path without a UUID is not found",
      asks: "Input in capitals is answered in lower case. Any other text in a path is 404, not 400.",
      why: "To a caller, a malformed identifier and an unknown one are the same.",
      example: {
        language: "http",
        wrong: "GET /api/v1/orders/42             -> 400",
        right: "GET /api/v1/orders/42             -> 404 OrderNotFoundMessage",
      },
      kept: {
        runtime: ["base/identifiers", "http/endpoint", "input/uuid-reader"],
      },
    }),
  ],
};
