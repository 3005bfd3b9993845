import { rule, type RuleFamily } from "./rule.js";

/** ENT: what every entity has. */
export const ENTITIES: RuleFamily = {
  prefix: "ENT",
  title: "common fields",
  section: "2.3",
  rules: [
    rule({
      id: "ENT-1",
      title: "Every entity has the common fields, written by the service",
      asks: "`<entity>Id`, `createdDate`, `createdSubject`, `lastModifiedDate` and `lastModifiedSubject` are in every response.",
      why: "Who changed what, and when, is never left to a client.",
      example: {
        language: "json",
        wrong: '{ "orderId": "01a1...", "created": 1795000000 }',
        right:
          '{ "orderId": "01a1...", "createdDate": "2026-03-10T12:00:00.000Z", "createdSubject": { ... }, ... }',
      },
      kept: {
        runtime: ["base/common-fields", "store/entity-store", "store/rows"],
        entity: ["entity"],
        openapi: ["components > schemas > Common.Entity > properties > lastModifiedSubject"],
      },
    }),
    rule({
      id: "ENT-2",
      title: "A subject is an identifier and a name",
      asks: "`{ subjectId, userPrincipalName }`: a UUID and a string.",
      why: "The identifier stays when the name changes; the name can be read.",
      example: {
        language: "json",
        wrong: '{ "createdSubject": "clerk@example.com" }',
        right:
          '{ "createdSubject": { "subjectId": "1b9d...", "userPrincipalName": "clerk@example.com" } }',
      },
      kept: {
        runtime: ["base/common-fields", "http/json-writer"],
        openapi: ["components > schemas > Common.Subject > properties > userPrincipalName"],
      },
    }),
    rule({
      id: "ENT-3",
      title: "Fields that the service writes are ignored in a body",
      asks: "Common fields and `readOnly` properties in a body change nothing, and a PUT does not need them. A schema cannot declare a property with the name of a common field.",
      why: "A client can send back what it has read.",
      example: {
        language: "yaml",
        wrong: "properties: { createdDate: timestamp }",
        right: "properties: { orderedDate: timestamp }",
      },
      kept: {
        codes: ["ENT-3"],
        checks: ["check-property-name"],
        runtime: ["input/body-input"],
        entity: ["reader"],
        resource: ["validator"],
        openapi: ["components > schemas > Common.Entity > properties > createdDate > readOnly"],
      },
    }),
    rule({
      id: "ENT-4",
      title: "An update that changes nothing leaves the common fields alone",
      asks: "`lastModifiedDate` and `lastModifiedSubject` stay as they are, and no state refuses such an update.",
      why: "A retry, or a form saved unchanged, is not a change.",
      example: {
        language: "http",
        wrong: 'PATCH { "priority": 2 } twice      -> two lastModifiedDates',
        right: 'PATCH { "priority": 2 } twice      -> one lastModifiedDate',
      },
      kept: {
        runtime: ["entity/repository", "store/entity-store"],
        tests: ["ent-4-an-update-that-changes-nothing-leaves-the-stamps"],
      },
    }),
  ],
};

/** CHD: entities that belong to another. */
export const CHILDREN: RuleFamily = {
  prefix: "CHD",
  title: "children",
  section: "4.2",
  rules: [
    rule({
      id: "CHD-1",
      title: "Children are listed and created under their parent",
      asks: "`/<parents>/<parentId>/<children>`; an unknown parent is 404. `GET /<children>` lists all, `POST` there is 405. A reference with `listedUnder: true` is a path like that, too, and the path fills it in.",
      why: "A child cannot be created without its parent.",
      example: {
        language: "http",
        wrong: "POST /api/v1/shipments",
        right: "POST /api/v1/orders/01a1.../shipments",
      },
      kept: {
        codes: ["SCH-38", "SCH-62", "SCH-63", "SCH-64", "SCH-249", "SCH-250", "SCH-251"],
        checks: ["check-parent", "check-references"],
        runtime: ["entity/children", "http/http", "http/route-table"],
        resource: ["controller"],
        tests: ["chd-1-nested-collections"],
      },
    }),
    rule({
      id: "CHD-2",
      title: "A child has an address of its own at the root",
      asks: "`Location` is the root path. The body holds the parent as a reference, which can be left out; another parent is a validation error.",
      why: "The child's identifier is enough to find it.",
      example: {
        language: "http",
        wrong: "Location: /api/v1/orders/01a1.../shipments/01b2...",
        right: "Location: /api/v1/shipments/01b2...",
      },
      kept: {
        codes: ["SCH-38", "SCH-62", "SCH-63", "SCH-64"],
        checks: ["check-parent"],
        runtime: ["entity/children"],
        entity: ["reader"],
        resource: ["validator", "serializer"],
        tests: ["chd-1-nested-collections"],
      },
    }),
    rule({
      id: "CHD-3",
      title: "Nothing nests deeper",
      asks: "No path has two parents in it. A child can have children of its own; a circle of parents is refused.",
      why: "Long paths repeat what the identifier says.",
      example: {
        language: "http",
        wrong: "GET /api/v1/users/01a1.../orders/01b2.../shipments",
        right: "GET /api/v1/orders/01b2.../shipments",
      },
      kept: {
        codes: ["CHD-3"],
        checks: ["check-parent"],
        tests: ["chd-3-children-of-children"],
      },
    }),
    rule({
      id: "CHD-4",
      title: "A child stays with its parent, and is deleted with it",
      asks: "It and its own children are deleted with the parent in one transaction. Deleting an entity that a plain reference points to is 409, unless the schema says `onDelete: setNull`; so is deleting a parent when the state of a child forbids it.",
      why: "Every reference points to an entity that exists.",
      example: {
        language: "http",
        wrong: "DELETE /api/v1/merchants/01a1... -> 204, and orders name a merchant that is gone",
        right: "DELETE /api/v1/merchants/01a1... -> 409 MerchantInUseMessage",
      },
      kept: {
        runtime: ["entity/repository", "store/entity-store"],
        entity: ["store"],
        files: ["migrations/0001-initial/sqlite.sql"],
        tests: ["chd-4-children-go-with-their-parent", "rep-4-references"],
      },
    }),
  ],
};
