import { RUNTIME_SOURCE } from "../support/runtime.js";

/** Tests that import nothing of what they hold: they read it, or start a program that was made from it. */
export const NEAR_TESTS: readonly {
  readonly changed: RegExp;
  readonly tests: readonly string[];
}[] = [
  {
    changed: /^templates\/.*\.hbs$|^src\/(?:artifacts|kinds|model|naming|render|storage)\//,
    tests: ["golden/golden.test.ts", "golden/layout.test.ts"],
  },
  { changed: inRuntime("base", "input"), tests: ["contract/err-4-", "contract/ops-5-"] },
  { changed: inRuntime("entity"), tests: ["contract/ops-", "contract/ent-"] },
  { changed: inRuntime("http"), tests: ["contract/err-", "contract/rep-8-"] },
  { changed: inRuntime("query"), tests: ["contract/qry-"] },
  {
    changed: inRuntime("store"),
    tests: [
      "contract/qry-any-query",
      "contract/lost-update",
      "contract/unique",
      "database/list-sql",
    ],
  },
  { changed: inRuntime("service"), tests: ["services/runtime/", "contract/safe-start"] },
  { changed: inRuntime("auth"), tests: ["contract/aut-1-"] },
  { changed: inRuntime("testing"), tests: ["services/samples-of-states"] },
  { changed: inRuntime(), tests: ["contract/ops-4-"] },
  { changed: /^templates\/(?:examples|pages)\//, tests: ["golden/document-examples", "cli/init"] },
  { changed: /^(?:schemas|src\/validate|src\/load)\//, tests: ["unit/invalid.test.ts"] },
  {
    changed: /^src\/(?:cli|commands|apply)\//,
    tests: ["cli/usage.test.ts", "cli/generate.test.ts"],
  },
  { changed: /^src\/migrations\//, tests: ["database/migrations.test.ts"] },
  { changed: /^src\/verify\//, tests: ["services/verify/told-failures", "unit/verify/"] },
  { changed: /^fixtures\/(?:golden|edits)\//, tests: ["golden/golden.test.ts"] },
  { changed: /^fixtures\/(?:invalid)\/|^docs\/diagnostics\//, tests: ["unit/invalid.test.ts"] },
  {
    changed: /^fixtures\/changes\/|^docs\/changes\.md$/,
    tests: ["unit/contract/advice.test.ts", "unit/contract/fixtures.test.ts"],
  },
  { changed: /^docs\/contract\.md$/, tests: ["rules/", "unit/verify/rules.test.ts"] },
  { changed: /^fixtures\/hostile\//, tests: ["unit/hostile-schemas", "contract/hostile.test.ts"] },
  { changed: /^fixtures\/(?:contract|secured|limited|small-limits)\//, tests: ["contract/ops-4-"] },
  { changed: /^fixtures\/(?:versions|deprecated)\//, tests: ["contract/ver-"] },
  { changed: /^(?:docs|src|templates|schemas)\/|^[^/]+\.md$|^package/, tests: ["architecture/"] },
];

/** Matches the files of these folders of the runtime; without folders, all of its files. */
function inRuntime(...folders: readonly string[]): RegExp {
  return new RegExp(`^${RUNTIME_SOURCE}/(?:${folders.map((name) => `${name}/`).join("|")})`);
}

/** Returns the tests that changes of these files can break without importing them, as filters of paths for vitest. */
export function nearTests(changed: readonly string[]): readonly string[] {
  const own = changed.filter((path) => path.endsWith(".test.ts"));
  const others = NEAR_TESTS.filter(({ changed: pattern }) =>
    changed.some((path) => pattern.test(path)),
  ).flatMap(({ tests }) => tests.map((path) => `test/${path}`));
  return [...new Set([...own, ...others])];
}
