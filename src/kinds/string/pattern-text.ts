/** Chooses a number below `count`. */
type Pick = (count: number) => number;

/** The letters that a class such as `\w` stands for, as far as they are needed. */
const CLASSES: Readonly<Record<string, string>> = {
  d: "0123456789",
  w: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
  s: " ",
  D: "abcxyz",
  W: "-",
  S: "abcxyz019",
};
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const PROPERTIES: Readonly<Record<string, string>> = {
  L: LOWER + UPPER,
  Letter: LOWER + UPPER,
  Alphabetic: LOWER + UPPER,
  Lu: UPPER,
  Uppercase: UPPER,
  Ll: LOWER,
  Lowercase: LOWER,
  N: "0123456789",
  Nd: "0123456789",
};
const ANY = "abcdefghijklmnopqrstuvwxyz0123456789";
/** How often an unlimited repetition repeats beyond its minimum. */
const EXTRA = 3;

/**
 * A text that matches the source of a simple regular expression: letters, classes, groups, alternatives, repetitions.
 * Null for what is not understood, such as a look-ahead or most properties of Unicode.
 */
export function patternText(source: string, pick: Pick): string | null {
  try {
    const text = new PatternReader(source, pick).whole();
    return new RegExp(source, "u").test(text) ? text : null;
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

class NotUnderstood extends Error {}

/** Walks through a pattern once, and writes as it reads. */
class PatternReader {
  private place = 0;

  constructor(
    private readonly source: string,
    private readonly pick: Pick,
  ) {}

  whole(): string {
    const text = this.alternatives();
    if (this.place < this.source.length) throw new NotUnderstood();
    return text;
  }

  private alternatives(): string {
    const all = [this.sequence()];
    while (this.take("|")) all.push(this.sequence());
    return all[this.pick(all.length)] ?? "";
  }

  private sequence(): string {
    let text = "";
    while (this.place < this.source.length && !"|)".includes(this.next())) text += this.repeated();
    return text;
  }

  private repeated(): string {
    const start = this.place;
    const first = this.atom();
    const end = this.place;
    const [least, most] = this.quantifier();
    const after = this.place;
    const times = least + this.pick(most - least + 1);
    let text = times === 0 ? "" : first;
    for (let done = 1; done < times; done += 1) {
      this.place = start;
      text += this.atom();
      if (this.place !== end) throw new NotUnderstood();
    }
    this.place = after;
    return text;
  }

  private quantifier(): readonly [number, number] {
    const counts = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.source.slice(this.place));
    if (counts === null) return [1, 1];
    const [whole, sign, least = "0", comma = "", most = ""] = counts;
    this.place += whole.length;
    if (sign === "?") return [0, 1];
    if (sign !== undefined) return sign === "+" ? [1, 1 + EXTRA] : [0, EXTRA];
    const from = Number(least);
    if (comma === "") return [from, from];
    return [from, most === "" ? from + EXTRA : Number(most)];
  }

  private atom(): string {
    if (this.take("^") || this.take("$")) return "";
    if (this.take("(")) return this.group();
    if (this.take("[")) return this.oneOf(this.classMembers());
    if (this.take(".")) return this.oneOf(ANY);
    if (this.take("\\")) return this.escaped();
    const [letter = ""] = this.source.slice(this.place);
    this.place += letter.length;
    return letter;
  }

  private group(): string {
    const kind = /^\?(?::|<[a-zA-Z]\w*>)/.exec(this.source.slice(this.place));
    if (kind !== null) this.place += kind[0].length;
    else if (this.next() === "?") throw new NotUnderstood();
    const text = this.alternatives();
    if (!this.take(")")) throw new NotUnderstood();
    return text;
  }

  private escaped(): string {
    const letter = this.next();
    this.place += 1;
    if (letter === "p") return this.oneOf(this.property());
    if (letter === "u" || letter === "x") return this.coded();
    if (/[PkcB1-9]/.test(letter)) throw new NotUnderstood();
    if (letter === "b") return "";
    const members = CLASSES[letter];
    return members === undefined ? (CONTROLS[letter] ?? letter) : this.oneOf(members);
  }

  /** Some of the letters that a property of Unicode stands for: `{L}` of `\p{L}`. */
  private property(): string {
    const [whole, name = ""] = /^\{(\w+)\}/.exec(this.source.slice(this.place)) ?? [""];
    const letters = PROPERTIES[name];
    if (letters === undefined) throw new NotUnderstood();
    this.place += whole.length;
    return letters;
  }

  /** The letter of a number: `\u0041`, `\u{41}`, `\x41`. */
  private coded(): string {
    const rest = this.source.slice(this.place);
    const pattern =
      this.source.charAt(this.place - 1) === "u"
        ? /^(?:\{([\da-f]+)\}|([\da-f]{4}))/i
        : /^([\da-f]{2})/i;
    const [whole, ...digits] = pattern.exec(rest) ?? [""];
    if (whole === "") throw new NotUnderstood();
    this.place += whole.length;
    return String.fromCodePoint(
      Number.parseInt(digits.find((text) => text !== undefined) ?? "", 16),
    );
  }

  private classMembers(): string {
    const negated = this.take("^");
    let members = "";
    while (!this.take("]")) {
      if (this.place >= this.source.length) throw new NotUnderstood();
      members += this.classMember();
    }
    if (!negated) return members;
    return [...ANY, ..."ABCXYZ -_"].filter((letter) => !members.includes(letter)).join("");
  }

  private classMember(): string {
    const from = this.classLetter();
    if (from.length !== 1 || this.next() !== "-" || this.source[this.place + 1] === "]")
      return from;
    this.place += 1;
    const to = this.classLetter();
    const first = from.charCodeAt(0);
    const count = Math.min(to.charCodeAt(0) - first + 1, 200);
    return Array.from({ length: count }, (_, step) => String.fromCharCode(first + step)).join("");
  }

  private classLetter(): string {
    if (!this.take("\\")) {
      const letter = this.next();
      this.place += 1;
      return letter;
    }
    const letter = this.next();
    this.place += 1;
    if (letter === "p") return this.property();
    if (letter === "u" || letter === "x") return this.coded();
    if (/[Pkc1-9]/.test(letter)) throw new NotUnderstood();
    return CLASSES[letter] ?? CONTROLS[letter] ?? letter;
  }

  private oneOf(members: string): string {
    if (members === "") throw new NotUnderstood();
    return members.charAt(this.pick(members.length));
  }

  private next(): string {
    return this.source.charAt(this.place);
  }

  private take(text: string): boolean {
    if (this.next() !== text) return false;
    this.place += 1;
    return true;
  }
}

const CONTROLS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };
