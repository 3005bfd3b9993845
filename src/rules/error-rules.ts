import { rule, type RuleFamily } from "./rule.js";

/** ERR: what a refusal looks like. */
export const ERRORS: RuleFamily = {
  prefix: "ERR",
  title: "errors",
  section: "7",
  rules: [
    rule({
      id: "ERR-1",
      title: "Every error has the same body",
      asks: "`{ errors: [{ type, message, description? }] }` for each 4xx and 5xx: also for an unknown path, malformed JSON, and what the HTTP parser itself refuses.",
      why: "A client has one function for everything that goes wrong.",
      example: {
        language: "json",
        wrong: '{ "error": "Not Found" }',
        right:
          '{ "errors": [{ "type": "OrderNotFoundMessage", "message": "There is no such order." }] }',
      },
      kept: {
        runtime: [
          "base/errors",
          "http/client-errors",
          "http/parser-errors",
          "http/raw-answer",
          "http/server",
        ],
        openapi: ["components > responses > Error"],
        tests: ["err-1-every-error-has-the-body", "hostile"],
      },
    }),
    rule({
      id: "ERR-2",
      title: "Types of errors are one table",
      asks: "Each ends in `Message` and has its status; an entity's own are `<Entity>NotFoundMessage`, `<Entity>AlreadyExistsMessage`, `<Entity>InUseMessage` and `Invalid<Entity>StateMessage`.",
      why: "A client decides by `type`, which is never reworded.",
      example: {
        language: "json",
        wrong: '{ "type": "not_found" }',
        right: '{ "type": "OrderNotFoundMessage" }',
      },
      kept: {
        runtime: ["base/error-types", "base/errors"],
        openapi: ["components > schemas > Common.ErrorType > enum"],
        tests: ["err-2-one-table-of-types", "unique"],
      },
    }),
    rule({
      id: "ERR-3",
      title: "A failure reveals nothing internal",
      asks: "No stack, SQL or path in a 5xx; the request id is in its description and in `X-Request-Id`, and in the log with the cause.",
      why: "An attacker learns nothing, and a user who asks for help can name the request.",
      example: {
        language: "json",
        wrong: '{ "message": "SQLITE_BUSY: database is locked, /srv/data/shop.db" }',
        right:
          '{ "type": "InternalErrorMessage", "description": "The request id is 01a1fcbe-...", ... }',
      },
      kept: {
        runtime: ["http/error-mapping", "base/errors", "http/request-id"],
        openapi: ["components > responses > Error > headers > X-Request-Id"],
        tests: ["err-3-errors-say-nothing-of-the-inside"],
      },
    }),
    rule({
      id: "ERR-4",
      title: "A validation error names every offending property",
      asks: "`fields: [{ field, message }]`, all of them at once, nested ones by path: `deliveryAddress.state`, `emailAddresses[1]`. 100 are listed, and the others counted in the description. A number that no reader can hold (`1e-400`), or of which none sees that it is not whole (`9007199254740991.4`), is a problem of its property.",
      why: "A form is corrected in one go.",
      example: {
        language: "json",
        wrong: '{ "type": "ValidationFailedMessage", "message": "bytes must be at least 0" }',
        right:
          '{ "type": "ValidationFailedMessage", "fields": [{ "field": "bytes", "message": "must be at least 0" }], ... }',
      },
      kept: {
        runtime: ["input/report", "input/body-input", "base/errors"],
        openapi: [
          "components > schemas > Common.Error > properties > errors > items > properties > fields",
        ],
        tests: ["err-4-validation-fields"],
      },
    }),
  ],
};

/** LIM: how much is too much. */
export const LIMITS: RuleFamily = {
  prefix: "LIM",
  title: "limits",
  section: "8",
  rules: [
    rule({
      id: "LIM-1",
      title: "Requests are bounded",
      asks: "Body 1 MiB (413), URL 8 KiB (414), headers 16 KiB (431), time 30 s. JSON is 32 deep and has 20,000 values; arrays have 1,000, and strings 10,000 code points. Pages of 4 MiB where `pageSize` is above the default. A page of the default size is always answered, or a smaller one that begins with the same entity and says so. An entity shows 4 MiB of other entities. Unfinished bodies have 64 MiB in all, and unread responses 32 MiB. Each bound can be set under `limits`.",
      why: "A request larger than any client needs must not stop the service.",
      example: {
        language: "yaml",
        wrong: "limits: { bodyBytes: unlimited }",
        right: "limits: { bodyBytes: 4194304 }",
      },
      kept: {
        codes: ["SCH-8"],
        checks: ["shape-findings"],
        runtime: [
          "http/request-guard",
          "input/json",
          "input/list-reader",
          "input/text-reader",
          "http/http-server",
          "http/connections",
          "http/bodies",
          "http/unread-answers",
          "http/unread-body",
        ],
        files: ["src/generated/settings.ts"],
        openapi: ["components > responses > Error > description"],
        tests: ["lim-1-requests-are-bounded", "lim-1-bytes-have-bounds-in-total"],
      },
    }),
    rule({
      id: "LIM-2",
      title: "Callers are limited, and overload is answered",
      asks: "Requests per caller and minute, off until set: 429 with `Retry-After`. A caller is the subject of its token, else its address (of IPv6 the /64). Overload is 503 with `Retry-After`, and never an endless queue: a request that has waited for two seconds is refused.",
      why: "One caller cannot take the service away from the others.",
      example: {
        language: "yaml",
        wrong: "# a proxy that counts, and answers errors of its own form",
        right: "limits: { requestsPerMinute: 600 }",
      },
      kept: {
        codes: ["SCH-8"],
        checks: ["shape-findings"],
        runtime: [
          "auth/signature-checks",
          "http/admission",
          "http/caller-limit",
          "http/http-server",
          "http/endpoint",
        ],
        files: ["src/generated/settings.ts"],
        openapi: ["components > responses > TooManyRequests"],
        tests: ["lim-2-callers-are-counted", "lim-2-overload-is-told"],
      },
    }),
  ],
};

/** AUT: who may do what. */
export const AUTHENTICATION: RuleFamily = {
  prefix: "AUT",
  title: "authentication",
  section: "5",
  rules: [
    rule({
      id: "AUT-1",
      title: "A caller proves itself with a bearer token",
      asks: "A JWT (RFC 6750, 7519, 8725): keys from a JWKS URL or a file, issuer, audience, algorithms pinned, 60 s of clock skew. 401 carries `WWW-Authenticate`, and comes before validation. In production, `none` has to be asked for by name.",
      why: "A token proves nothing until its issuer, audience and signature are checked.",
      example: {
        language: "yaml",
        wrong: "authentication: { scheme: bearer, keys: http://login.example.com/jwks.json }",
        right:
          "authentication:\n  scheme: bearer\n  issuer: https://login.example.com/\n  audience: helpdesk\n  keys: https://login.example.com/.well-known/jwks.json",
      },
      kept: {
        codes: ["AUT-1", "SCH-72", "SCH-73", "SCH-74", "SCH-75", "SCH-76", "SCH-77", "SCH-78"],
        checks: ["check-authentication"],
        runtime: [
          "auth/authentication",
          "auth/bearer-authentication",
          "auth/authentication-settings",
          "auth/verification-keys",
          "auth/remote-keys",
          "base/start-refusal",
        ],
        openapi: ["components > securitySchemes > bearerAuth"],
        tests: ["aut-1-bearer-tokens"],
      },
    }),
    rule({
      id: "AUT-2",
      title: "Access is granted by operation",
      asks: "`anyone`, `authenticated`, `owner`, `parent` (callers who may do the same to the parent; the default for a child's `read`), `custom` (custom code gives conditions) or `role:<name>`. 403 where it fails, but 404 for what the caller may not even read; a list shows, and counts, only what its caller may read. A schema whose reference embeds what some readers may not read is refused, unless the reference says `disclose: true`. Deleting a parent needs the right to delete its children.",
      why: "Nobody learns from a refusal that something exists.",
      example: {
        language: "yaml",
        wrong: "access: { delete: [clerk] }",
        right: "access: { delete: [owner, role:clerk] }",
      },
      kept: {
        codes: [
          "AUT-2",
          "SCH-79",
          "SCH-80",
          "SCH-81",
          "SCH-82",
          "SCH-230",
          "SCH-39",
          "SCH-40",
          "SCH-321",
        ],
        checks: ["check-access", "check-answers", "check-disclosure"],
        runtime: [
          "auth/access",
          "auth/scope",
          "entity/child-rights",
          "http/endpoint",
          "query/where",
          "store/list-sql",
        ],
        entity: ["scope"],
        resource: ["access"],
        openapi: ["paths > /<resources> > post > security"],
        tests: [
          "aut-2-access-in-a-transaction",
          "aut-2-conditions-of-code",
          "aut-2-parents",
          "aut-2-random-access",
          "aut-2-what-refusals-tell",
        ],
      },
    }),
    rule({
      id: "AUT-3",
      title: "The token's subject signs every change",
      asks: "A subject that is not a UUID becomes one: version 5 of `<issuer>#<sub>`. So does a UUID of version 5, which could be that of another subject. The name is the first of the claims `upn`, `preferred_username`, `email`, `sub`. Without authentication it is the nil UUID and `anonymous`.",
      why: "The same caller is the same subject in every service.",
      example: {
        language: "json",
        wrong: '{ "createdSubject": { "subjectId": "auth0|77", "userPrincipalName": "auth0|77" } }',
        right:
          '{ "createdSubject": { "subjectId": "6f1c...", "userPrincipalName": "clerk@example.com" } }',
      },
      kept: {
        runtime: ["auth/caller", "auth/claims", "http/request-context"],
        tests: ["aut-3-subjects"],
      },
    }),
  ],
};
