import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parseHTML } from "linkedom";
import { copyOf, generator, minimalProject } from "./command-line.js";

const NOTES = "resources/v1/notes.yaml";

let made = "";
beforeAll(async () => {
  made = copyOf(await minimalProject());
  const { exitCode, err } = await generator(["publish", "v1"], { cwd: made });
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
});

/** A published project, in which the text of a note becomes shorter, gets a pattern with markup in it, and company. */
function edited(): string {
  const project = copyOf(made);
  const text = readFileSync(join(project, NOTES), "utf8");
  const marked = "maxLength: 100, pattern: '^(<b>`|&)$'";
  const shorter = text.replace("maxLength: 1000", () => marked);
  expect(shorter).not.toBe(text);
  writeFileSync(
    join(project, NOTES),
    `${shorter.trimEnd()}\n  tags: { type: array, items: string }\n`,
  );
  return project;
}

test("nothing has changed: that is what is told, in every format", async () => {
  expect(await generator(["changes"], { cwd: made })).toEqual({
    exitCode: 0,
    out: "v1  published  against what was promised\n\n  Nothing has changed.\n",
    err: "",
  });
  for (const format of ["json", "markdown", "html", "github"]) {
    const { exitCode, err } = await generator(["changes", "--format", format], { cwd: made });
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
  }
});

test("what generate has added to the promise is told until it is committed, with the commit of the promise", async () => {
  const project = copyOf(made);
  const git = (...parameters: readonly string[]): string =>
    execFileSync(
      "git",
      ["-c", "user.name=test", "-c", "user.email=test@example.com", ...parameters],
      {
        ...{ cwd: project, encoding: "utf8", stdio: "pipe" },
      } as const,
    ).trim();
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "-m", "published");
  const said = git("log", "-1", "--format=(%h, %cs)");
  const text = readFileSync(join(project, NOTES), "utf8");
  writeFileSync(join(project, NOTES), `${text.trimEnd()}\n  colour: string\n`);
  const asked = async () => (await generator(["changes"], { cwd: project })).out;
  expect(await asked()).toContain("generator generate adds this to contract/v1.");

  await generator(["generate"], { cwd: project });
  const since = "To compare with a branch or a commit: generator changes --since main";
  expect(await asked()).toBe(
    `v1  published  against what was promised ${said}\n\n  Nothing has changed.\n` +
      `  Not committed yet, and part of the promise since generator generate: notes: \`colour\` is new; it may be left out. ${since}\n`,
  );
  const report = JSON.parse((await generator(["changes", "--json"], { cwd: project })).out) as {
    versions: readonly { baseline: object; added: readonly object[] }[];
  };
  expect(report.versions).toMatchObject([
    {
      baseline: { kind: "contract", commit: said.slice(1, 8) },
      added: [{ kind: "property-added", path: "colour" }],
    },
  ]);
  git("commit", "--quiet", "--all", "-m", "colour");
  const later = git("log", "-1", "--format=(%h, %cs)");
  expect(await asked()).toBe(
    `v1  published  against what was promised ${later}\n\n  Nothing has changed.\n  ${since}\n`,
  );
});

test("each change is told with its place, its class, whom it breaks, and what to do next", async () => {
  const { exitCode, out } = await generator(["changes"], { cwd: edited() });
  expect(exitCode).toBe(1);
  expect(out).toContain("breaking    resources/v1/notes.yaml:");
  expect(out).toContain("maxLength of `text` is 100; it was 1000.");
  expect(out).toContain("Writers: Values that were accepted are answered 400.");
  expect(out).toContain("`tags` is new; it may be left out.");
  expect(out).toContain("2 breaking, 1 compatible.");
  expect(out).toContain("generator version v2 notes");
});

test("against a promise that was edited by hand there is no verdict", async () => {
  const project = copyOf(made);
  for (const path of [NOTES, "contract/v1/notes.json"]) {
    const file = join(project, path);
    writeFileSync(file, readFileSync(file, "utf8").replace("1000", "100"));
  }
  for (const parameters of [["changes"], ["changes", "--json"], ["check"]]) {
    const { exitCode, out, err } = await generator(parameters, { cwd: project });
    expect(exitCode).toBe(1);
    expect(out + err).toContain("SCH-155");
  }
});

test("the same values as JSON", async () => {
  const { exitCode, out } = await generator(["changes", "v1", "--json"], { cwd: edited() });
  expect(exitCode).toBe(1);
  const report = JSON.parse(out) as {
    ok: boolean;
    versions: { isBroken: boolean; resources: { changes: { kind: string; line: number }[] }[] }[];
  };
  expect(report.ok).toBe(false);
  const [version] = report.versions;
  expect(version?.isBroken).toBe(true);
  const found = version?.resources.flatMap(({ changes }) => changes) ?? [];
  expect(found.map(({ kind }) => kind)).toEqual([
    ...["maximum-length-lowered", "pattern-added", "property-added"],
  ]);
  expect(found.every(({ line }) => line > 1)).toBe(true);
});

test("as Markdown, a table in which no text of a schema is markup", async () => {
  const { out } = await generator(["changes", "--format", "markdown"], { cwd: edited() });
  expect(out).toContain("### v1: published");
  expect(out).toMatch(
    /^\| `resources\/v1\/notes\.yaml:\d+` \| maxLength of `text` is 100; it was 1000\. \|/m,
  );
});

test("as annotations of GitHub, each on its line", async () => {
  const { out } = await generator(["changes", "--format", "github"], { cwd: edited() });
  const lines = out.trimEnd().split("\n");
  expect(lines[0]).toMatch(
    /^::error file=resources\/v1\/notes\.yaml,line=\d+,endLine=\d+,col=\d+,endColumn=\d+,title=v1%3A breaking \(maximum-length-lowered\)::maxLength of/,
  );
  expect(lines[2]).toMatch(/^::notice /);
  expect(lines.length).toBe(3);
});

test("as a page that needs nothing else, with the state of each resource", async () => {
  const { out } = await generator(["changes", "--format", "html"], { cwd: edited() });
  const { document } = parseHTML(out);
  expect(out).not.toMatch(/<script|<link|<img|url\(|https?:/);
  expect(document.querySelector("html")?.getAttribute("lang")).toBe("en");
  expect(document.querySelector("title")?.textContent).toBe("Changes of Minimal");
  const rows = [...document.querySelectorAll("tbody tr")].map((row) => row.textContent);
  expect(rows).toEqual(["notesbreaks clients2 breaking, 1 compatible"]);
  expect(document.querySelectorAll("li.breaking").length).toBe(2);
  expect(document.querySelector("b")).toBe(null);
  expect(document.querySelector("main")?.textContent).toContain("must match ^(<b>'|&)$.");
  expect(document.querySelector(".next code")?.textContent).toBe("generator version v2 notes");
  const links = [...document.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? "");
  expect(links.filter((link) => document.querySelector(link) === null)).toEqual([]);
});

test("against a revision of git, also where the version is a draft", async () => {
  const project = edited();
  const git = (...given: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...given], {
      cwd: project,
      encoding: "utf8",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  const text = readFileSync(join(project, NOTES), "utf8");
  writeFileSync(join(project, NOTES), text.replace("maxLength: 100,", "maxLength: 90,"));
  const since = await generator(["changes", "--since", "HEAD"], { cwd: project });
  expect(since.exitCode).toBe(1);
  expect(since.out).toContain("v1  published  against HEAD");
  expect(since.out).toContain("maxLength of `text` is 90; it was 100.");
  for (const revision of ["nothing", "--output=x", "HEAD:service.yaml"]) {
    const unknown = await generator(["changes", `--since=${revision}`], { cwd: project });
    expect(unknown).toMatchObject({ exitCode: 2, out: "" });
    expect(unknown.err).toContain(`git does not have a revision "${revision}" here.`);
  }
});

test("a draft beside a published version is a guide for its clients, and refuses nothing", async () => {
  const project = copyOf(made);
  expect((await generator(["version", "v2", "notes"], { cwd: project })).exitCode).toBe(0);
  const path = join(project, "resources/v2/notes.yaml");
  const text = readFileSync(path, "utf8");
  const renamed = text.replace("  text: {", "  words: { renamedFrom: text,");
  expect(renamed).not.toBe(text);
  writeFileSync(path, renamed);
  const { exitCode, out } = await generator(["changes", "v2"], { cwd: project });
  expect(exitCode).toBe(0);
  expect(out).toContain(
    "v2  draft  against v1: the changes that its clients have to make when they move",
  );
  expect(out).toContain("adapt       resources/v2/notes.yaml:");
  expect(out).toContain("Read and send `words` in place of `text`");
  expect(out).toContain("1 to adapt to.");
  for (const format of ["text", "markdown", "html", "github", "json"]) {
    const told = await generator(["changes", "--format", format], { cwd: project });
    expect(told.exitCode).toBe(0);
    expect(told.out).toMatch(/in place of (<code>|`)text/);
    expect(told.out.replace(/<style>.*<\/style>/s, "")).not.toMatch(/breaking|::error|::warning/);
  }
  const report = JSON.parse((await generator(["changes", "--json"], { cwd: project })).out) as {
    ok: boolean;
    versions: {
      isGuide: boolean;
      isBroken: boolean;
      resources: { changes: { class: string }[] }[];
    }[];
  };
  expect(report.ok).toBe(true);
  expect(report.versions.map(({ isGuide, isBroken }) => [isGuide, isBroken])).toEqual([
    [false, false],
    [true, false],
  ]);
  expect(report.versions[1]?.resources[0]?.changes.map((change) => change.class)).toEqual([
    "adapt",
  ]);
});

test("wrong usage is told", async () => {
  for (const [given, said] of [
    [["changes", "v9"], 'There is no version "v9". Did you mean "v1"?'],
    [
      ["changes", "--format", "pdf"],
      'There is no format "pdf": text, json, markdown, html, github.',
    ],
    [["publish", "v1"], "v1 is published already."],
    [["version", "v3"], 'The next version is v2: "generator version v2".'],
    [["version", "v2", "note"], 'v1 has no resource "note". Did you mean "notes"?'],
  ] as const) {
    const { exitCode, err } = await generator(given, { cwd: made });
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining(said) });
  }
});

test("the files of the next version: a copy with its comments, and a word for what stays", async () => {
  const project = copyOf(made);
  const text = readFileSync(join(project, NOTES), "utf8");
  writeFileSync(join(project, NOTES), `${text}# the end\n`);
  const users = "resource: users\nentity: user\nproperties: { name: string }\n";
  writeFileSync(join(project, "resources/v1/users.yaml"), users);
  expect((await generator(["generate"], { cwd: project })).exitCode).toBe(0);
  const { exitCode, out } = await generator(["version", "v2", "notes"], { cwd: project });
  expect(exitCode).toBe(0);
  expect(out).toContain("created  resources/v2/notes.yaml");
  expect(out).toContain("generator changes v2");
  const copied = readFileSync(join(project, "resources/v2/notes.yaml"), "utf8");
  expect(copied).toContain("# A copy of v1, for you to change.");
  expect(copied.replace(/# A copy of v1.*\n.*\n/, "")).toBe(`${text}# the end\n`);
  expect(readFileSync(join(project, "resources/v2/users.yaml"), "utf8")).toBe(
    "resource: users\nsameAs: v1\n",
  );
  expect(readFileSync(join(project, "service.yaml"), "utf8")).toMatch(
    /v1: published\n? *,? *v2: draft/,
  );
});

test("what a draft has as it was is opened for edits by the same command", async () => {
  const project = copyOf(made);
  const text = readFileSync(join(project, NOTES), "utf8");
  const opened = join(project, "resources/v2/notes.yaml");
  expect((await generator(["version", "v2"], { cwd: project })).exitCode).toBe(0);
  expect(readFileSync(opened, "utf8")).toContain("sameAs: v1");
  const { exitCode, out } = await generator(["version", "v2", "notes"], { cwd: project });
  expect(exitCode).toBe(0);
  expect(out).toContain("updated  resources/v2/notes.yaml");
  expect(out).not.toContain("service.yaml");
  expect(readFileSync(opened, "utf8").replace(/# A copy of v1.*\n.*\n/, "")).toBe(text);
  for (const [given, said] of [
    [["v2"], 'The next version is v3: "generator version v3".'],
    [["v2", "note"], 'v2 has no resource "note". Did you mean "notes"?'],
    [["v2", "notes"], "resources/v2/notes.yaml is a definition of its own already: edit it."],
  ] as const) {
    const refused = await generator(["version", ...given], { cwd: project });
    expect(refused).toEqual(
      expect.objectContaining({ exitCode: 2, err: expect.stringContaining(said) }),
    );
  }
});

test("an edit that operators announce says so, in the text and in the page", async () => {
  const project = copyOf(await minimalProject());
  const path = join(project, "service.yaml");
  const tokens = (audience: string): string =>
    `authentication: { scheme: bearer, issuer: "https://a.example.com/", audience: ${audience}, keys: keys.json }\n`;
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/^authentication:\n(?: .*\n)*/m, tokens("notes")));
  expect((await generator(["publish", "v1"], { cwd: project })).err).toBe("");
  writeFileSync(path, readFileSync(path, "utf8").replace(tokens("notes"), tokens("letters")));
  const { exitCode, out } = await generator(["changes"], { cwd: project });
  expect(exitCode).toBe(0);
  expect(out).toMatch(/operational {2}service\.yaml:\d+:\d+ {2}tokens-changed\n/);
  expect(out).toContain("`audience` of authentication is `letters`; it was `notes`.");
  expect(out).toContain("Announce it to callers:");
  const page = await generator(["changes", "--format", "html"], { cwd: project });
  const { document } = parseHTML(page.out);
  expect(document.querySelector("li.operational .advice")?.textContent).toContain("Announce it");
});
