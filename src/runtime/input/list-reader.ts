import { wrongType, type Reader } from "./reader.js";

/** The bounds of a list. */
export interface ListRule {
  readonly minItems?: number;
  /** 1,000 where it is left out (LIM-1). */
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

const MOST_ITEMS = 1_000;

/** Reads a list; left out or null it is `[]` first, and then bounded (REP-3). Items are never null. */
export function list<T>(readItem: Reader<T>, rule: ListRule = {}): Reader<T[]> {
  return (value, path, report) => {
    const sent = value ?? [];
    if (!Array.isArray(sent)) {
      report.add(path, wrongType(sent, "a list"));
      return [];
    }
    const issue = lengthIssue(sent.length, rule);
    if (issue !== null) {
      report.add(path, issue);
      return [];
    }
    const places = rule.uniqueItems === true ? new Map<unknown, number>() : null;
    const items: T[] = [];
    for (let index = 0; index < sent.length; index++) {
      const place = `${path}[${index}]`;
      const issues = report.size;
      const item = readItem(sent[index], place, report);
      items.push(item);
      // What stands for an item that could not be read equals nothing.
      if (places === null || report.size > issues) continue;
      const earlier = firstPlace(places, item, index);
      if (earlier !== index) report.add(place, `must not repeat item [${earlier}]`);
    }
    return items;
  };
}

/** Where an equal item stands first; that is `index` where there was none before. */
function firstPlace(places: Map<unknown, number>, item: unknown, index: number): number {
  // Objects were read property by property, so that equal ones have the same text.
  const key = typeof item === "object" ? JSON.stringify(item) : item;
  const earlier = places.get(key);
  if (earlier !== undefined) return earlier;
  places.set(key, index);
  return index;
}

function lengthIssue(
  length: number,
  { minItems = 0, maxItems = MOST_ITEMS }: ListRule,
): string | null {
  if (length < minItems) return `must have at least ${items(minItems)}, and has ${length}`;
  if (length > maxItems) return `must have at most ${items(maxItems)}, and has ${length}`;
  return null;
}

function items(count: number): string {
  return count === 1 ? "1 item" : `${count} items`;
}
