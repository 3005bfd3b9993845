// What the compiler does not see; layout is prettier's, floors, sizes and documents are test/architecture's.
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const SIZES = {
  "max-lines-per-function": ["error", 50],
  "max-params": ["error", 4],
  "max-depth": ["error", 3],
};

const NAMED_EXPORTS = {
  "no-restricted-syntax": [
    "error",
    { selector: "ExportDefaultDeclaration", message: "Export it by its name." },
    {
      selector: "ExportAllDeclaration:not([exported])",
      message: "Import the file you mean: no barrel files.",
    },
  ],
};

const TYPES = {
  "@typescript-eslint/no-explicit-any": "error",
  "@typescript-eslint/consistent-type-imports": "error",
  "@typescript-eslint/no-floating-promises": [
    "error",
    // node:test waits for its tests by itself.
    { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test"] }] },
  ],
  "@typescript-eslint/no-misused-promises": "error",
  "@typescript-eslint/await-thenable": "error",
  "@typescript-eslint/return-await": "error",
  "@typescript-eslint/switch-exhaustiveness-check": [
    "error",
    // A `switch` over `kind` has no `default`: a new kind is met everywhere; one over `string` has.
    { allowDefaultCaseForExhaustiveSwitch: false, considerDefaultExhaustiveForUnions: true },
  ],
  // The compiler reports them, and knows about type-only uses.
  "@typescript-eslint/no-unused-vars": "off",
};

/** Named, since to find the project of each file takes half as long again. */
const PROJECTS = [".", "src/runtime", "test/clients/sessions"].map(
  (path) => `${path}/tsconfig.json`,
);

export default defineConfig(
  globalIgnores([
    "**/dist",
    "src/runtime/static",
    "coverage",
    "fixtures",
    "helpdesk",
    "shop",
    "templates/examples",
    "test/.services",
  ]),
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommended],
    languageOptions: {
      parserOptions: { project: PROJECTS, tsconfigRootDir: import.meta.dirname },
    },
    rules: { ...SIZES, ...NAMED_EXPORTS, ...TYPES, eqeqeq: "error" },
  },
  {
    files: ["**/*.js"],
    rules: { ...SIZES, eqeqeq: "error", "no-unused-vars": "error", "no-undef": "off" },
  },
  {
    // A table of cases is as long as it is; vitest takes its configuration and reporters as default exports.
    files: ["test/**/*.ts"],
    rules: { "max-lines-per-function": "off", "no-restricted-syntax": "off" },
  },
  {
    // Types of what others export.
    files: ["**/*.d.ts"],
    rules: { "no-restricted-syntax": "off", "@typescript-eslint/consistent-type-imports": "off" },
  },
);
