import fc from "fast-check";
import { stringify } from "yaml";

/** Keywords and what stands under them. */
export type Yaml = Readonly<Record<string, unknown>>;

/** Some of the keywords. */
export const optional = (
  keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Yaml> => fc.record(keywords, { requiredKeys: [] });

/** Null or a value, as often as the weights say. */
export const orNull = <T>(
  without: number,
  weight: number,
  value: fc.Arbitrary<T>,
): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: without, arbitrary: fc.constant(null) }, { weight, arbitrary: value });

/** All keywords of each, the later winning. */
export const merged = (...parts: readonly fc.Arbitrary<Yaml>[]): fc.Arbitrary<Yaml> =>
  fc.tuple(...parts).map((given) => Object.assign({}, ...given) as Yaml);

/** Seldom. */
export const rarely = (yaml: fc.Arbitrary<Yaml>): fc.Arbitrary<Yaml> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: yaml });

/** Without anchors, which a schema cannot contain; texts in quotes, so that none is read as something else. */
export function print(yaml: Yaml): string {
  return stringify(yaml, {
    aliasDuplicateObjects: false,
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "PLAIN",
    lineWidth: 0,
  });
}
