import { wrongForm, type Reader } from "./reader.js";

const MOST_LISTED = 20;

/** Reads one of an enum's values (NAM-4). */
export function oneOf<const V extends string>(values: readonly [V, ...V[]]): Reader<V> {
  const byText = new Map<string, V>(values.map((value) => [value, value]));
  return (value, path, report) => {
    const sent = typeof value === "string" ? value : "";
    const chosen = byText.get(sent);
    if (chosen !== undefined) return chosen;
    report.add(path, wrongForm(value, choiceForm(values, report.suggestion(sent, values))));
    return values[0];
  };
}

/** How a message describes an enum whose value was sent wrongly: `one of open, pending, closed`, and what was meant. */
export function choiceForm(values: readonly string[], advice: string): string {
  const listed = values.slice(0, MOST_LISTED).join(", ");
  const more = values.length - MOST_LISTED;
  return `one of ${listed}${more > 0 ? ` and ${more} more` : ""}${advice}`;
}
