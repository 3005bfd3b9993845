import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { exampleFiles } from "../../../src/commands/example-files.js";
import { wholeService } from "../../support/compiled-service.js";
import { renderValid, type Texts } from "../../support/render-files.js";

const SCHEMAS = exampleFiles("helpdesk", "helpdesk").map(({ path, text }) => [path, text ?? ""]);
const PROJECT = Object.fromEntries(SCHEMAS) as Texts;
/** What `init` writes, by path. */
const SERVICE: Texts = {
  ...PROJECT,
  ...(await wholeService(await renderValid(PROJECT))),
  "vendor/generator.tgz": "",
};
/** What exists only once a command was run (`npm install`, `npm run build`), or where the schemas ask for it. */
const MADE = ["package-lock.json", "dist", "node_modules", "asyncapi", "client"];
const PACKAGE = JSON.parse(fileOf("package.json")) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
}; // What `init` writes.
const DOCKERFILE = fileOf("Dockerfile");
/** The variables that the service reads, and the one that Node's packages read. */
const VARIABLES = [
  "NODE_ENV",
  ...[...fileOf(".env.example").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name),
];

function fileOf(path: string): string {
  const text = SERVICE[path];
  if (text === undefined) throw new Error(`a service has no ${path}`);
  return text;
}

function isThere(path: string): boolean {
  const plain = path.replace(/^\.\//, "").replace(/\/$/, "");
  if (plain === "." || MADE.includes(plain)) return true;
  return Object.keys(SERVICE).some((file) => file === plain || file.startsWith(`${plain}/`));
}

const COMMANDED = ["README.md", "AGENTS.md", "Dockerfile", ".github/workflows/ci.yml"];

test.each(COMMANDED)("every script and command that %s names exists", (path) => {
  const text = fileOf(path);
  const scripts = [...text.matchAll(/npm (?:run ([a-z:]+)|(start|test))\b/g)];
  const unknown = scripts.map(([, run, own]) => run ?? own ?? "").filter(isNoScript);
  const tools = [...text.matchAll(/npx (\S+)/g)].map(([, tool]) => tool);
  expect([unknown, tools.filter((tool) => tool !== "generator")]).toEqual([[], []]);
  expect(scripts.length).toBeGreaterThan(0);
});

test("package.json has the script that the comment of service.yaml names, whatever the schema says", () => {
  expect(SERVICE["tools/token.ts"]).toBeUndefined();
  expect(PACKAGE.scripts["token"]).toBe("tsx tools/token.ts");
});

function isNoScript(name: string): boolean {
  return !(name in PACKAGE.scripts);
}

test.each(["README.md", "AGENTS.md"])("every file that %s names exists", (path) => {
  const named = [
    ...fileOf(path).matchAll(/`((?:[\w.-]+\/)*[\w.-]+(?:\/|\.(?:ts|yaml|md|lock)))`/g),
  ];
  const paths = named.map(([, name = ""]) => name).filter((name) => name !== "generator.lock");
  expect(paths.length).toBeGreaterThan(3);
  expect(paths.filter((name) => !isThere(name))).toEqual([]);
});

test("the workflow runs on a Node that the service supports, and on each change", () => {
  const workflow = parse(fileOf(".github/workflows/ci.yml")) as Workflow;
  expect(workflow.on).toEqual(["push", "pull_request"]);
  const { steps } = workflow.jobs.test;
  const [checkout, node, ...runs] = steps;
  expect([checkout?.uses, node?.uses]).toEqual([
    expect.stringMatching(/^actions\/checkout@v\d+$/),
    expect.stringMatching(/^actions\/setup-node@v\d+$/),
  ]);
  expect(PACKAGE.engines.node).toBe(">=20.19");
  expect(node?.with?.["node-version"]).toBeGreaterThan(20);
  expect(runs.map(({ run }) => run)).toEqual([
    "npm ci",
    "npx generator check",
    "npm run build",
    "npm test",
  ]);
});

/** The part of a workflow of GitHub that is looked at. */
interface Workflow {
  readonly on: readonly string[];
  readonly jobs: { readonly test: { readonly steps: readonly Step[] } };
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

test("what the Dockerfile copies exists, and it starts the service as npm does", () => {
  const copies = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
  const taken = [...DOCKERFILE.matchAll(/^COPY --from=build .*\/service\/(\S+) \S+$/gm)];
  const paths = [...copies, ...taken].flatMap(([, names = ""]) => names.split(" "));
  expect(paths).toContain("migrations");
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
  const [, command = "[]"] = /^CMD (.*)$/m.exec(DOCKERFILE) ?? [];
  expect((JSON.parse(command) as string[]).join(" ")).toBe(PACKAGE.scripts["start"]);
  const [, variables = ""] = /^ENV (.*)$/m.exec(DOCKERFILE) ?? [];
  const names = [...variables.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name);
  expect(names.filter((name) => !VARIABLES.includes(name))).toEqual([]);
});

test("no secret, no data and nothing of another machine's gets into the image", () => {
  const hidden = fileOf(".dockerignore").trim().split("\n").sort();
  const uncommitted = fileOf(".gitignore").trim().split("\n");
  expect(hidden).toEqual([".git", ...uncommitted].sort());
});

test("compose starts the image on its port, with its folder for data and variables that it reads", () => {
  const { services, volumes } = parse(fileOf("compose.yaml")) as Compose;
  expect(Object.keys(services)).toEqual(["helpdesk"]);
  const { build, ports, environment, volumes: mounted } = services["helpdesk"] ?? never();
  const [, data] = /^VOLUME (\S+)$/m.exec(DOCKERFILE) ?? [];
  const port = "${PORT:-3000}";
  expect([build, ports, mounted]).toEqual([".", [`${port}:${port}`], [`data:${data}`]]);
  expect(environment["PORT"]).toBe(port);
  expect(DOCKERFILE).toContain("ARG PORT=3000\n");
  expect(DOCKERFILE).toMatch(/^ENV .* PORT=\$PORT$/m);
  expect(Object.keys(volumes)).toEqual(["data"]);
  const unknown = Object.keys(environment).filter((name) => !VARIABLES.includes(name));
  expect(unknown).toEqual([]);
  // What a file that is made once says must not outlive `scheme: none`: it would turn off the bearer tokens that follow.
  expect(environment).not.toHaveProperty("AUTH_SCHEME");
});

/** The part of a compose file that is looked at. */
interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build: string;
        readonly ports: readonly string[];
        readonly environment: Readonly<Record<string, string>>;
        readonly volumes: readonly string[];
      }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
}

function never(): never {
  throw new Error("not there");
}

test("npm run dev finds the generator by its package", () => {
  const [path = ""] = /@rulebound\/generator\/[^"]+/.exec(fileOf("tools/dev.ts")) ?? [];
  expect(existsSync(createRequire(import.meta.url).resolve(path))).toBe(true);
});
