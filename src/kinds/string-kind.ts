import { ts } from "../naming/code.js";
import { regex } from "../naming/encoders.js";
import type { StringFormat, StringType } from "../model/service-model.js";
import { call, options, plain } from "./expression.js";
import type { PropertyKind, Samples } from "./property-kind.js";
import { textColumn } from "./text-column.js";

/** What the form of a text allows by itself. */
const LONGEST: Readonly<Record<string, number>> = { email: 254, hostname: 253 };

/** Text; lengths count code points (LIM-1). */
export const stringKind: PropertyKind<StringType> = {
  ...textColumn,
  encoding: () => ({ form: "string" }),
  tsType: () => ts`string`,
  jsonSchema: ({ minLength, maxLength, pattern, format }) => ({
    type: "string",
    ...(minLength > 0 && { minLength }),
    maxLength: Math.min(maxLength, LONGEST[format ?? ""] ?? maxLength),
    ...(pattern !== null && { pattern }),
    ...(format !== null && { format }),
  }),
  reader: ({ minLength, maxLength, pattern, format }) =>
    call(
      "text",
      options(
        { minLength: minLength > 0 ? minLength : null, maxLength, format },
        { pattern: pattern === null ? null : regex(pattern) },
      ),
    ),
  describe: describeText,
  filter: () => call("textFilter"),
  bind: () => null,
  write: (value, _type, nullable) => call(nullable ? "quoteOrNull" : "quote", [plain(value)]),
  samples: stringSamples,
};

function describeText({ minLength, maxLength, pattern, format }: StringType): string {
  const parts = [
    format ?? "text",
    minLength > 0 ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`,
    ...(pattern === null ? [] : [`matches ${pattern}`]),
  ];
  return parts.join(", ");
}

const FORMAT_SAMPLES: Readonly<Record<StringFormat, Samples>> = {
  email: { valid: ["desk@example.com"], invalid: ["desk", "desk@example..com"] },
  uri: { valid: ["https://example.com/a?b=c"], invalid: ["example.com", "https://exa mple.com"] },
  hostname: { valid: ["api.example.com"], invalid: ["-api.example.com", "api..example.com"] },
  ipv4: { valid: ["192.0.2.1"], invalid: ["192.0.2.256", "192.0.02.1"] },
  ipv6: { valid: ["2001:db8::1"], invalid: ["2001:db8::1::2", "192.0.2.1"] },
  date: { valid: ["2024-02-29"], invalid: ["2023-02-29", "29.02.2024"] },
};

function stringSamples({ minLength, maxLength, pattern, format }: StringType): Samples {
  const tooLong = "x".repeat(maxLength + 1);
  // Text that fits a pattern can not be made up in general: the schema's own example is used there.
  if (pattern !== null) return { valid: [], invalid: [tooLong] };
  if (format !== null) return { ...FORMAT_SAMPLES[format] };
  const shortest = Math.max(1, minLength);
  const valid = ["x".repeat(shortest), "ü😀".repeat(Math.ceil(shortest / 2)).slice(0)];
  return {
    valid: valid.filter((text) => [...text].length <= maxLength),
    invalid: [tooLong, ...(minLength > 1 ? ["x".repeat(minLength - 1)] : [])],
  };
}
