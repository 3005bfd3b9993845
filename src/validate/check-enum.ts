import { closedFormOf } from "../kinds/string/text-forms.js";
import { ADVICE, didYouMean, renamed } from "../diagnostics/advice.js";
import type { Telling } from "../diagnostics/diagnostic.js";
import { isCamelCase, toCamelCase } from "../naming/casing.js";
import { needsQuotes } from "./check-ambiguous.js";
import type { Findings } from "./findings.js";
import { own } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";

/** G9: characters of an enum value. */
const VALUE_LENGTH = 100;

/** NAM-4: the values of an enum are camelCase, and none is repeated. */
export function checkEnum({ path, yaml }: PropertyPlace, findings: Findings): void {
  const values: unknown = own(yaml, "enum");
  if (!Array.isArray(values)) return;
  const first = new Map<string, number>();
  const form = closedFormOf(values);
  values.forEach((value: unknown, index) => {
    if (typeof value !== "string") return;
    const at = { path: [...path, "enum", index] };
    const earlier = first.get(value);
    if (earlier !== undefined) {
      const position = findings.position({ path: [...path, "enum", earlier] });
      findings.add("SCH-30", at, { value, first: position }, { suggestion: ADVICE.keepOne });
      return;
    }
    first.set(value, index);
    if (!isCamelCase(value)) {
      const telling =
        form === null
          ? tellingFor(value)
          : { suggestion: `Write { type: string, format: ${form} } instead of the enum.` };
      findings.add("NAM-4", at, { value }, telling);
    } else if (value.length > VALUE_LENGTH) {
      const given = { what: "The value", size: value.length, unit: "characters" };
      findings.add("SCH-6", at, { ...given, limit: VALUE_LENGTH });
    }
  });
}

function tellingFor(value: string): Telling {
  if (value.trim() === "") return { suggestion: "Leave it out: a value that is absent is null." };
  const conforming = toCamelCase(value);
  if (conforming === null || !needsQuotes(conforming)) return renamed(conforming);
  return { suggestion: `${didYouMean(conforming)} Write it in quotes.` };
}
