/** An item of a list: a name as code. */
const QUOTED = /^`([^`]+)`$/;

/** A page of docs, read line by line; throws with file and line where the page has another form. */
class Page {
  #path;
  #lines;
  #at = 0;
  /** The line of the last look, where a mistake is reported. */
  #line = 0;

  constructor(path, text) {
    this.#path = path;
    this.#lines = text.split("\n");
  }

  /** Takes the next line with text where it has the form, and returns its groups; null where it has not. */
  takeIf(form) {
    while (this.#lines[this.#at] === "") this.#at += 1;
    this.#line = this.#at;
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

  /** Takes a block of code, as its language and its text. */
  takeBlock() {
    const [language] = this.take(/^```(yaml|json|http)$/);
    const start = this.#at;
    this.skipTo(/^```$/);
    const code = this.#lines.slice(start, this.#at).join("\n");
    this.take(/^```$/);
    return { language, code };
  }

  /** Takes a line `- label: a, b` where there is one, as its items; each has the form. */
  takeList(label, form = QUOTED) {
    const found = this.takeIf(new RegExp(`^- ${label}: (.+)$`));
    return found === null ? [] : this.itemsOf(found[0], form);
  }

  itemsOf(list, form = QUOTED) {
    const items = list.split(/, (?=[`[])/);
    return items.map((item) => form.exec(item)?.[1] ?? this.fail(`"${item}" is not ${form}`));
  }

  skipTo(form) {
    while (this.#at < this.#lines.length && !form.test(this.#lines[this.#at])) this.#at += 1;
  }

  end() {
    const [rest] = this.takeIf(/(.+)/) ?? [];
    if (rest !== undefined) this.fail(`"${rest}" has no place here`);
  }

  fail(problem) {
    throw new Error(`${this.#path}:${this.#line + 1}: ${problem}`);
  }
}

/** What may be said of a kind of edit, in this order. */
const KIND_LINES = [
  [/^- Readers: (.+\.)$/, (readers) => ({ readers })],
  [/^- Writers: (.+\.)$/, (writers) => ({ writers })],
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

/** The rules and promises of docs/contract.md. Its table is made by `npm run accept`. */
export function compileRules(text) {
  const page = new Page("docs/contract.md", text);
  page.skipTo(/^## /);
  const families = page.takeAll(/^## ([A-Z]{3}): .+ \(contract [\d.]+\)$/, (prefix) =>
    page.takeAll(new RegExp(`^### (${prefix}-\\d+): (.+)$`), (id, title) => rule(page, id, title)),
  );
  page.take(/^## Besides the rules$/);
  const promises = page.takeAll(/^- (.+\.) Test: (.+)\.$/, (promise, tests) => ({
    promise,
    tests: page.itemsOf(tests),
  }));
  page.end();
  return { RULES: families.flat(), PROMISES: promises };
}

function rule(page, id, title) {
  const [lacks] = page.takeIf(/^\*\*Supported in part\.\*\* Not yet: (.+)\.$/) ?? [""];
  const [asks] = page.take(/^([^#*-].+\.)$/);
  const [why] = page.take(/^\*\*Why\.\*\* (.+\.)$/);
  page.take(/^Wrong:$/);
  const { language, code: wrong } = page.takeBlock();
  page.take(/^Right:$/);
  const right = page.takeBlock();
  if (right.language !== language) page.fail(`the block before is ${language}`);
  page.take(/^Enforced by:$/);
  const enforcedBy = {
    codes: page.takeList("Refused with", /^\[(.+)\]\(diagnostics\/\1\.md\)$/),
    checks: page.takeList("Found by"),
    emitted: page.takeList("Generated code"),
    openapi: page.takeList("OpenAPI document"),
    tests: page.takeList("Test in the generator's repository"),
  };
  const verify = new RegExp(`^- On a running service: \`generator verify <url> --rule ${id}\`$`);
  const verified = page.takeIf(verify) !== null;
  const example = { language, wrong, right: right.code };
  const support = lacks === "" ? "full" : "partly";
  return { id, title, asks, why, example, support, lacks, enforcedBy, verified };
}
