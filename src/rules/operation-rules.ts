import { rule, type RuleFamily } from "./rule.js";

/** OPS: what each method does at each path. */
export const OPERATIONS: RuleFamily = {
  prefix: "OPS",
  title: "methods and paths",
  section: "4.1",
  rules: [
    rule({
      id: "OPS-1",
      title: "POST to a collection creates",
      asks: "201, `Location` with the absolute URL made from `BASE_URL` (never from Host), and the whole entity. Properties that may be null or have a default can be left out.",
      why: "No second request is needed to learn the result.",
      example: {
        language: "http",
        wrong: "POST /api/v1/orders   -> 200, no body",
        right:
          "POST /api/v1/orders   -> 201, Location: https://shop.example.com/api/v1/orders/01a1...",
      },
      kept: {
        runtime: ["http/answers", "http/http", "input/reader"],
        entity: ["reader"],
        resource: ["controller", "validator"],
        openapi: ["paths > /<resources> > post > responses > 201 > headers > Location"],
        tests: ["ops-4-replace", "unique"],
      },
    }),
    rule({
      id: "OPS-2",
      title: "GET of a collection lists",
      asks: "200, and the envelope of COL-1.",
      why: "All lists are read by the same code.",
      example: {
        language: "http",
        wrong: "GET /api/v1/orders   -> 204, because there are none",
        right: 'GET /api/v1/orders   -> 200 { "results": [], ... }',
      },
      kept: {
        resource: ["controller"],
        openapi: ["paths > /<resources> > get > responses > 200"],
      },
    }),
    rule({
      id: "OPS-3",
      title: "GET of an entity reads",
      asks: "200, and the entity in the version of the path; 404 where there is none.",
      why: "The URL alone decides the response.",
      example: {
        language: "http",
        wrong: "GET /api/v1/orders/01a1...   -> 200 null",
        right: "GET /api/v1/orders/01a1...   -> 404 OrderNotFoundMessage",
      },
      kept: {
        resource: ["controller"],
        openapi: ["paths > /<resources>/{<entity>Id} > get > responses > 404"],
      },
    }),
    rule({
      id: "OPS-4",
      title: "PUT replaces all that can be updated",
      asks: "Unknown values are sent as null; a missing property is a validation error. 200 and the entity, 404 where there is none. An `immutable` property can be left out, and cannot change. A nested object is whole.",
      why: "A property that a client forgot is not erased.",
      example: {
        language: "json",
        wrong: '{ "firstName": "Ada" }',
        right: '{ "firstName": "Ada", "lastName": null }',
      },
      kept: {
        runtime: ["input/body-input", "input/report"],
        resource: ["controller", "validator"],
        openapi: ["components > schemas > <Entity>ReplaceDto > required"],
        tests: ["ops-4-replace", "lost-update"],
      },
    }),
    rule({
      id: "OPS-5",
      title: "PATCH changes what is named",
      asks: "JSON Merge Patch (RFC 7396), also inside nested objects; arrays are replaced whole. 200. `application/merge-patch+json` is accepted here, and 415 elsewhere.",
      why: "Two clients that change different properties do not undo each other.",
      example: {
        language: "json",
        wrong: '[{ "op": "replace", "path": "/priority", "value": 2 }]',
        right: '{ "priority": 2 }',
      },
      kept: {
        runtime: ["input/body-input", "http/negotiation"],
        resource: ["controller", "validator"],
        openapi: ["paths > /<resources>/{<entity>Id} > patch > requestBody"],
        tests: ["ops-5-patch", "lost-update"],
      },
    }),
    rule({
      id: "OPS-6",
      title: "DELETE of an entity removes it",
      asks: "204 without a body; 404 where there is none.",
      why: "There is nothing left to describe.",
      example: {
        language: "http",
        wrong: 'DELETE /api/v1/orders/01a1...   -> 200 { "deleted": true }',
        right: "DELETE /api/v1/orders/01a1...   -> 204",
      },
      kept: {
        runtime: ["http/http"],
        resource: ["controller"],
        openapi: ["paths > /<resources>/{<entity>Id} > delete > responses > 204"],
      },
    }),
    rule({
      id: "OPS-7",
      title: "A method that a path does not have is 405",
      asks: "PUT, PATCH and DELETE of a collection, POST to an entity: 405 with `Allow` and an error body.",
      why: "The path is right and the method is wrong: 404 would mislead the reader.",
      example: {
        language: "http",
        wrong: "DELETE /api/v1/orders   -> 404",
        right: "DELETE /api/v1/orders   -> 405, Allow: GET, HEAD, POST, OPTIONS",
      },
      kept: {
        runtime: ["http/server", "http/route-table"],
        openapi: ["components > responses > Error > headers > Allow"],
      },
    }),
    rule({
      id: "OPS-8",
      title: "A property that is not known is refused",
      asks: "At any depth: a validation error that suggests the nearest name.",
      why: "A typing mistake that is ignored looks like success.",
      example: {
        language: "json",
        wrong: '{ "compnay": "Acme" }',
        right: '{ "company": "Acme" }',
      },
      kept: {
        runtime: ["input/body-input", "input/report"],
        entity: ["reader"],
        resource: ["validator"],
        openapi: ["components > schemas > <Entity>UpdateDto > additionalProperties"],
      },
    }),
    rule({
      id: "OPS-9",
      title: "A schema can offer fewer operations",
      asks: "`operations: [list, read]`; the others are 405. HEAD follows GET, OPTIONS answers 204 with `Allow`.",
      why: "An operation that nobody may use should not have code.",
      example: {
        language: "yaml",
        wrong: "operations: [get]",
        right: "operations: [list, read]",
      },
      kept: {
        codes: ["SCH-10"],
        checks: ["shape-findings"],
        runtime: ["http/route-table"],
        resource: ["controller"],
        openapi: ["paths > /<resources> > get"],
      },
    }),
    rule({
      id: "OPS-10",
      title: "An entity has an ETag, and If-Match is obeyed",
      asks: "A strong `ETag` of the revision and of the shape of this release. Where values of others are embedded, a digest of the body takes the place of the shape. So it changes whenever the body does, also by a deploy. An `If-Match` of another revision is 412; `ifMatch: required` makes leaving it out 428. `If-None-Match` of the same body gives 304.",
      why: "A client learns that someone else changed the entity first, and does not download what it already has.",
      example: {
        language: "http",
        wrong: 'PUT with If-Match: "4" at revision 5   -> 200',
        right: 'PUT with If-Match: "4" at revision 5   -> 412 PreconditionFailedMessage',
      },
      kept: {
        runtime: ["http/entity-tag", "http/preconditions", "entity/repository", "http/answers"],
        resource: ["controller"],
        openapi: [
          "paths > /<resources>/{<entity>Id} > get > responses > 304",
          "paths > /<resources>/{<entity>Id} > patch > responses > 412",
          "components > headers > ETag",
        ],
        tests: ["ops-10-conditional-requests"],
        otherTests: ["unit/runtime/preconditions"],
      },
    }),
    rule({
      id: "OPS-11",
      title: "A schema can declare actions",
      asks: "`POST /<resources>/<id>/<action>` on one entity, `POST /<resources>/<action>` on the collection. The input is validated like a body; access and states are checked before custom code is called. The response is the entity, an object of its own, or 204; one that differs from the schema is not sent. An action with `states` and `leadsTo` makes its own transitions, and those that `transitions` does not list belong to it alone. A state that the code of another action sets follows a transition. `If-Match` and `Idempotency-Key` are obeyed.",
      why: "To cancel an order is more than to change its status.",
      example: {
        language: "yaml",
        wrong: "actions: { create: { input: { reason: string } } }    # an operation",
        right:
          "actions: { cancel: { input: { reason: string }, states: [placed], leadsTo: cancelled } }",
      },
      kept: {
        codes: [
          "SCH-231",
          "SCH-232",
          "SCH-233",
          "SCH-234",
          "SCH-235",
          "SCH-236",
          "SCH-237",
          "SCH-320",
          "SCH-322",
        ],
        checks: ["check-actions", "check-same-actions"],
        runtime: [
          "base/not-written",
          "entity/acting-repository",
          "entity/acting-service",
          "entity/action-answer",
          "entity/entity-actions",
          "entity/given-input",
          "entity/referring-action",
          "http/action",
          "http/endpoint",
          "input/no-input",
        ],
        resource: ["actions"],
        entity: ["actions"],
        openapi: ["paths > /<resources>/{<entity>Id}/<action> > post"],
        tests: ["ops-11-actions", "ops-11-actions-refer", "ops-11-own-code-acts"],
      },
    }),
    rule({
      id: "OPS-12",
      title: "A POST with an Idempotency-Key is carried out once",
      asks: "The same key, path, caller and body give the first response again, for 24 hours: 201 and the same entity. A body that differs in a byte is 409 `IdempotencyKeyReusedMessage`; a request that is still at work is waited for, or 409 `IdempotencyKeyPendingMessage` with `Retry-After`. A refused request is not remembered. The key is written in the same transaction as what it made. The first response is for a caller who still has access; of an entity with a body above 65,536 bytes, the repeated request reads it.",
      why: "A client that got no response can repeat the request without creating a second entity.",
      example: {
        language: "http",
        wrong: "POST with Idempotency-Key: 7f3a, twice   -> 201 01a1..., then 201 01a2...",
        right: "POST with Idempotency-Key: 7f3a, twice   -> 201 01a1..., then 201 01a1...",
      },
      kept: {
        runtime: [
          "http/idempotency",
          "http/idempotency-key",
          "http/idempotency-store",
          "http/idempotency-cleanup",
        ],
        resource: ["controller"],
        files: ["migrations/0001-initial/sqlite.sql", "migrations/0001-initial/postgres.sql"],
        openapi: [
          "components > parameters > IdempotencyKey",
          "components > responses > IdempotencyKeyConflict",
        ],
        tests: [
          "ops-12-idempotency-keys",
          "ops-12-keys-outlive-the-process",
          "ops-12-expired-keys-are-removed",
        ],
      },
    }),
  ],
};
