/** Of a property of an error, the log keeps this many characters. */
const PROPERTY = 1000;
/** The quotes, the colon and the comma around a name. */
const AROUND_NAME = 4;
/** The shortest value, and the comma behind it. */
const AROUND_VALUE = 2;

/** The beginning of a text, with the number of characters that it had. */
export function bounded(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (cut, ${text.length} characters)`;
}

/**
 * A copy of a value as JSON has it, or the beginning of its text where that is longer: however large the value is, no more
 * of it is read. Throws where it cannot be JSON.
 */
export function shortValue(value: unknown, most = PROPERTY): unknown {
  if (typeof value === "string") return bounded(value, most);
  if (typeof value !== "object" || value === null) return value;
  const copy = new BoundedCopy(most);
  const read = copy.of(value);
  // `toJSON` may give nothing, whatever the type says.
  const text = JSON.stringify(read) as string | undefined;
  if (text === undefined) return undefined;
  if (copy.isCut) return `${text.slice(0, most)}… (cut)`;
  return text.length <= most ? read : bounded(text, most);
}

/** Copies a value as JSON reads it, until its text would be longer than a number of characters. */
class BoundedCopy {
  private readonly around = new Set<object>();
  private left: number;

  constructor(private readonly most: number) {
    this.left = most + AROUND_VALUE;
  }

  /** Whether something was left out. */
  get isCut(): boolean {
    return this.left < 0;
  }

  of(given: unknown, name = ""): unknown {
    this.left -= AROUND_VALUE;
    if (this.isCut) return undefined;
    const value = this.jsonOf(given, name);
    if (typeof value === "string") {
      this.left -= value.length;
      return value.slice(0, this.most);
    }
    if (typeof value !== "object" || value === null) return value;
    if (this.around.has(value)) throw new TypeError("A value that holds itself is not JSON.");
    this.around.add(value);
    const copy = Array.isArray(value) ? this.ofList(value) : this.ofObject(value);
    this.around.delete(value);
    return copy;
  }

  /** What stands for a value in JSON; bytes would be a list of numbers. */
  private jsonOf(value: unknown, name: string): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (ArrayBuffer.isView(value) && value.byteLength > this.most)
      return `${value.constructor.name} of ${value.byteLength} bytes`;
    if (!("toJSON" in value) || typeof value.toJSON !== "function") return value;
    const made: unknown = value.toJSON(name);
    return made;
  }

  private ofList(list: readonly unknown[]): readonly unknown[] {
    const copy: unknown[] = [];
    for (let index = 0; index < list.length; index += 1) {
      const one = this.of(list[index], String(index));
      if (this.isCut && one === undefined) break;
      copy.push(one);
    }
    return copy;
  }

  private ofObject(object: object): object {
    const copy: [string, unknown][] = [];
    for (const name of Object.keys(object)) {
      this.left -= name.length + AROUND_NAME - AROUND_VALUE;
      if (this.isCut) break;
      copy.push([name.slice(0, this.most), this.of(Reflect.get(object, name), name)]);
    }
    return Object.fromEntries(copy);
  }
}
