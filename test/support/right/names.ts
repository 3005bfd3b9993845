import fc from "fast-check";

/** What code calls its own things, here and in what is emitted: names that a property can have all the same. */
export const CODE_NAMES = [
  ...["serviceContext", "actingRepository", "actionRules", "later", "given", "caller", "context"],
  ...["request", "scope", "result", "length", "default", "class", "await", "body", "identifier"],
  ...["problem", "next", "kept", "value", "operation", "revision", "version", "new", "delete"],
  ...["where", "any", "mine", "action", "state", "parent", "owner", "custom", "text"],
  ...["change", "error", "async", "yield", "static", "let", "name", "number", "type"],
] as const;

/** What a property may be called: usually a plain word, sometimes one of those. */
export const propertyNames = (most: number): fc.Arbitrary<readonly string[]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...CODE_NAMES]),
      fc.array(fc.nat(2), { minLength: most, maxLength: most }),
    )
    .map(([words, turns]) =>
      turns.map((turn, index) => (turn === 0 && words[index]) || `field${index}`),
    );
