import { ALIASES, COLLECTIONS, QUERIES } from "./collection-rules.js";
import { CHILDREN, ENTITIES } from "./entity-rules.js";
import { AUTHENTICATION, ERRORS, LIMITS } from "./error-rules.js";
import { contractTests } from "./enforced-by.js";
import { IDENTIFIERS, NAMING } from "./naming-rules.js";
import { OPERATIONS } from "./operation-rules.js";
import { REPRESENTATION } from "./representation-rules.js";
import type { Rule, RuleFamily } from "./rule.js";
import { EVENTS, STATES } from "./state-rules.js";
import { VERSIONS } from "./version-rules.js";

/** Every rule of the contract, in its order. */
export const FAMILIES: readonly RuleFamily[] = [
  NAMING,
  IDENTIFIERS,
  ENTITIES,
  REPRESENTATION,
  COLLECTIONS,
  STATES,
  OPERATIONS,
  CHILDREN,
  QUERIES,
  ALIASES,
  AUTHENTICATION,
  EVENTS,
  ERRORS,
  LIMITS,
  VERSIONS,
];

/** The rules without their families. */
export const RULES: readonly Rule[] = FAMILIES.flatMap(({ rules }) => rules);

/** What a service promises besides the numbered rules, with the tests of it. */
export const PROMISES: readonly { readonly promise: string; readonly tests: readonly string[] }[] =
  [
    {
      promise: "A decimal is exact and travels as a string; an integer is within 53 bits.",
      tests: contractTests(["numbers-decimals-and-integers-are-exact"]),
    },
    {
      promise:
        "Code in `src/custom` is called at the documented moment, in the transaction of its change.",
      tests: contractTests([
        "hooks",
        "hooks-context",
        "own-code-bounds",
        "own-code-lists",
        "own-code-locks",
        "own-code-rules",
        "own-code-same-entity",
        "own-code-services",
        "own-code-late",
        "own-code-throws",
        "own-code-units",
      ]),
    },
    {
      promise:
        "Plugins come before every route, and routes of the service's own are under the rules of all others.",
      tests: contractTests(["own-app", "own-app-plugins"]),
    },
    {
      promise: "Web pages of the listed origins can call the service, and no others.",
      tests: contractTests(["cors"]),
    },
    {
      promise: "A change that was answered is stored, even if the process dies right afterwards.",
      tests: contractTests(["durability"]),
    },
    {
      promise: "A service that is asked to stop finishes the requests that it has begun.",
      tests: contractTests(["graceful-stop"]),
    },
    {
      promise: "A service that could not work safely does not start, and says why.",
      tests: contractTests(["safe-start"]),
    },
    {
      promise: "The seed of the shop fills every one of its resources.",
      tests: contractTests(["shop-seed"]),
    },
  ];

/** How many rules there are, how many are supported in part, and how many have a test. */
export function ruleCounts(): { total: number; partly: number; tested: number } {
  return {
    total: RULES.length,
    partly: RULES.filter(({ support }) => support === "partly").length,
    tested: RULES.filter(({ enforcedBy }) => enforcedBy.tests.length > 0).length,
  };
}

/** `65 rules (1 in part), 65 with a test`. */
export function ruleCountText(): string {
  const { total, partly, tested } = ruleCounts();
  return `${total} of ${total} rules supported (${partly} in part), ${tested} with a test`;
}
