/** The package that makes services. */
export const GENERATOR = "@rulebound/generator";
/** The package that they run on. */
export const RUNTIME = "@rulebound/runtime";
/** Where its files were, before it was a package. */
export const FORMER_RUNTIME = "src/generated/kernel";
