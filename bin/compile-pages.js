/** A page of docs, read line by line; throws with file and line where the page has another form. */
class Page {
  #path;
  #lines;
  #at = 0;

  constructor(path, text) {
    this.#path = path;
    this.#lines = text.split("\n");
  }

  /** Takes the next line with text where it has the form, and returns its groups; null where it has not. */
  takeIf(form) {
    while (this.#lines[this.#at] === "") this.#at += 1;
    const found = form.exec(this.#lines[this.#at] ?? "");
    if (found === null) return null;
    this.#at += 1;
    return found.slice(1);
  }

  take(form) {
    return this.takeIf(form) ?? this.fail(`"${this.#lines[this.#at] ?? ""}" is not ${form}`);
  }

  /** Takes lines of the form as long as there are any, each with what follows it. */
  takeAll(form, read) {
    const all = [];
    for (let found = this.takeIf(form); found !== null; found = this.takeIf(form)) {
      all.push(read(...found));
    }
    return all;
  }

  skipTo(form) {
    while (this.#at < this.#lines.length && !form.test(this.#lines[this.#at])) this.#at += 1;
  }

  end() {
    if (this.takeIf(/(.)/) !== null) this.fail("nothing follows here", this.#at - 1);
  }

  fail(problem, at = this.#at) {
    throw new Error(`${this.#path}:${at + 1}: ${problem}`);
  }
}

/** What may be said of a kind of edit, in this order. */
const KIND_LINES = [
  [/^- Those who read: (.+\.)$/, (readers) => ({ readers })],
  [/^- Those who write: (.+\.)$/, (writers) => ({ writers })],
  [/^- Operations: ((?:[a-z]+, )*[a-z]+)$/, (list) => ({ needs: list.split(", ") })],
  [/^- Clients that move: (.+\.)$/, (moving) => ({ moving })],
  [/^- Versions: all alike$/, () => ({ isOfAll: true })],
  [/^- Class: operational$/, () => ({ isOperational: true })],
  [/^- Class: internal$/, () => ({ isInternal: true })],
];

/** The kinds of edit of docs/changes.md by their names. Tables and examples are made by `npm run accept`. */
export function compileChangeKinds(text) {
  const page = new Page("docs/changes.md", text);
  page.skipTo(/^## /);
  const kinds = page.takeAll(/^## .+$/, () => {
    page.skipTo(/^##/);
    return page.takeAll(/^### ([a-z-]+)$/, (id) => [id, changeKind(page)]);
  });
  page.end();
  return Object.fromEntries(kinds.flat());
}

function changeKind(page) {
  const [title, says] = page.take(/^\*\*(.+?)\.\*\* (.+\.)$/);
  const facts = KIND_LINES.map(([form, read]) => {
    const found = page.takeIf(form);
    return found === null ? {} : read(...found);
  });
  const [advice] = page.take(/^- Advice: (.+\.)$/);
  page.take(/^Example:$/);
  page.skipTo(/^##/);
  return Object.assign({ title, says }, ...facts, { advice });
}
