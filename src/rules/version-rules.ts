import { rule, type RuleFamily } from "./rule.js";

/** VER: how an interface changes without breaking anyone. */
export const VERSIONS: RuleFamily = {
  prefix: "VER",
  title: "versions",
  section: "9",
  rules: [
    rule({
      id: "VER-1",
      title: "The version is always in the path",
      asks: "`{base_url}/api/v<N>/<resources>`. Without it: 404 `VersionNotFoundMessage`, which names the versions that are served.",
      why: "A default version would change under those who rely on it.",
      example: {
        language: "http",
        wrong: "GET /api/orders   -> 200",
        right: "GET /api/orders   -> 404 VersionNotFoundMessage",
      },
      kept: {
        codes: ["VER-1"],
        checks: ["check-service"],
        runtime: ["http/route-table", "base/errors"],
        openapi: ["servers"],
        tests: ["ver-1-version-is-always-in-the-path"],
      },
    }),
    rule({
      id: "VER-2",
      title: "Several versions are served over one store",
      asks: "A value written through one is read through the other. Where an older version shows a mapped enum value, its filters and sort mean the value that it shows. A write through one version that another could not show is refused, at the property.",
      why: "Clients move when they can, and data does not move at all.",
      example: {
        language: "yaml",
        wrong: "# two services, two databases, and a copy between them",
        right: "versions: { v1: published, v2: draft }",
      },
      kept: {
        codes: [
          ...["SCH-170", "SCH-171", "SCH-172", "SCH-173", "SCH-174", "SCH-175", "SCH-176"],
          ...["SCH-177", "SCH-178", "SCH-181", "SCH-182", "SCH-183"],
          ...["SCH-185", "SCH-186", "SCH-187", "SCH-188", "SCH-189"],
          ...["SCH-270", "SCH-271", "SCH-272", "SCH-273", "SCH-274", "SCH-310", "SCH-340"],
        ] as const,
        checks: [
          ...["check-versions", "check-lineage", "check-converted", "check-shared"],
          ...["check-uniqueness", "check-on-delete", "check-shown-states", "same-as"],
        ] as const,
        runtime: [
          "entity/conversion",
          "entity/converted-pair",
          "entity/older-shape",
          "entity/shown-instead",
          "entity/shown-states",
          "entity/renamed-references",
        ],
        resource: ["dto", "conversions", "pairs"],
        tests: ["ver-2-conversions-of-own-code", "ver-2-two-versions-over-one-store"],
      },
    }),
    rule({
      id: "VER-3",
      title: "An edit that breaks a published version is refused",
      asks: "Request shape, response shape or behaviour. The refusal names each change, whom it breaks, and the command that makes the next version. A looser rule breaks nobody: it is accepted, and becomes a part of the promise. A setting of operation, `requestsPerMinute` or `requestSeconds`, is not part of it.",
      why: "A promise is broken on purpose or not at all.",
      example: {
        language: "yaml",
        wrong: "maxLength: 40    # was 80, and v1 is published",
        right: "maxLength: 80",
      },
      kept: {
        codes: ["VER-3", "SCH-154", "SCH-155"],
        contract: ["check-published", "compare-contracts", "change-kinds"],
        commands: ["edited-contracts"],
        otherTests: [
          "unit/contract/fixtures",
          "golden/ver-3-breaking-edits-are-refused",
          "golden/compatibility",
          "golden/independent-differ",
        ],
      },
    }),
    rule({
      id: "VER-4",
      title: "A version is a draft, published, deprecated or retired",
      asks: "Responses of a deprecated version, errors too, carry `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), at midnight UTC of the given dates. Every path of a retired one is 410 `VersionRetiredMessage`. A version that was published is never a draft again.",
      why: "A client learns of the end in advance.",
      example: {
        language: "yaml",
        wrong: "versions: { v1: old }",
        right:
          "versions: { v1: { status: deprecated, deprecated: 2026-09-01, sunset: 2027-03-01 } }",
      },
      kept: {
        codes: [
          ...(["VER-4", "SCH-150", "SCH-151", "SCH-152", "SCH-153"] as const),
          ...(["SCH-156", "SCH-157", "SCH-158"] as const),
        ],
        checks: ["check-status"],
        contract: ["check-published"],
        runtime: ["http/version-use", "http/route-table"],
        files: ["src/generated/settings.ts"],
        openapi: ["paths > /<resources> > get > deprecated", "info > description"],
        tests: ["ver-4-a-version-has-a-status"],
      },
    }),
    rule({
      id: "VER-5",
      title: "A version serves its OpenAPI document",
      asks: "`/api/v<N>/openapi.json`, which describes exactly what the service does.",
      why: "The address of a service leads to its description.",
      example: {
        language: "http",
        wrong: "GET /api/v1/openapi.json   -> the document of another build",
        right: "GET /api/v1/openapi.json   -> openapi/v1.json of this one",
      },
      kept: {
        runtime: ["service/docs"],
        files: ["openapi/v1.json"],
        openapi: ["info > version"],
        tests: ["openapi-truth", "openapi-parameters", "openapi-validity", "docs-page"],
      },
    }),
  ],
};
