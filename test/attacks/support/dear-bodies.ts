const BYTES = 2 ** 20;
const MOST_VALUES = 20_000;

/** What one body may cost, as a multiple of `PLAIN_BODY`: one that is refused before it is parsed, and one that is not. */
const REFUSED = 3;
const PARSED = 9;

/** A body of 1 MiB that is one text. */
export const PLAIN_BODY = JSON.stringify({ a: "x".repeat(BYTES - 10) });

/** Bodies of 1 MiB that are dear to parse: many names, much that is nested, or as much as is allowed of it. */
export const DEAR_BODIES: readonly (readonly [what: string, body: string, cpuBound: number])[] = [
  ["names", objectOf(200_000), REFUSED],
  ["lists in lists", `{"a":[${repeated(`${"[".repeat(29)}${"]".repeat(29)},`)}0]}`, REFUSED],
  ["small objects", `{"a":[${repeated('{"a":0},')}0]}`, REFUSED],
  ["exponents", `{"a":[${repeated("1e5,")}0]}`, REFUSED],
  ["20,000 names", objectOf(MOST_VALUES - 1), PARSED],
];

/** Names that nothing has. */
export interface UnknownNames {
  readonly what: string;
  readonly body: string;
  /** How often it is sent where another body is sent once. */
  readonly often: number;
  /** Of others, in milliseconds. */
  readonly p99Milliseconds: number;
}

export const UNKNOWN_NAMES: readonly UnknownNames[] = [
  { what: "1,000 names", body: objectOf(1000).trimEnd(), often: 20, p99Milliseconds: 50 },
  { what: "20,000 names", body: objectOf(MOST_VALUES - 1), often: 1, p99Milliseconds: 200 },
];

function repeated(text: string): string {
  return text.repeat(Math.floor((BYTES - 10) / text.length));
}

/** An object of so many names, or as many as there is room for; white space fills what is left. */
function objectOf(names: number): string {
  const parts: string[] = [];
  let length = 2;
  for (let index = 0; index < names; index += 1) {
    const part = `"${index.toString(36)}":0`;
    length += part.length + 1;
    if (length > BYTES) break;
    parts.push(part);
  }
  return `{${parts.join()}}`.padEnd(BYTES);
}
