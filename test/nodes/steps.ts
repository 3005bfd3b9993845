import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { treeHash, writeTimes } from "./folders.js";
import { runQuietly } from "./run.js";
import { serviceOf, type Trial } from "./smoke-test.js";
import { startService } from "./running-service.js";
import { trySession } from "./session.js";

/** One thing that must work on every Node, without a word on stderr. */
interface Step {
  readonly name: string;
  /** Throws when it does not work; may return the hash of what was generated. */
  readonly take: (trial: Trial) => Promise<string | void>;
}

/** In order: each needs those before it. */
export const STEPS: readonly Step[] = [
  { name: "npm runs on this node", take: checkRuntime },
  { name: "install the generator", take: installGenerator },
  { name: "init", take: initialise },
  { name: "generate, and write nothing", take: generateAgain },
  { name: "check, validate, explain", take: askGenerator },
  { name: "install the service", take: (trial) => npmInService(trial, "install") },
  { name: "npm run build", take: (trial) => npmInService(trial, "run", "build") },
  { name: "npm test", take: (trial) => npmInService(trial, "test") },
  { name: "npm run check", take: (trial) => npmInService(trial, "run", "check") },
  { name: "npm start, SIGTERM", take: (trial) => serve(trial, startParameters(trial), 1) },
  // The flags of `npm start` hide warnings, and others start the service as well.
  { name: "start it without flags", take: (trial) => serve(trial, ["dist/main.js"], 2) },
  { name: "eject the runtime", take: ejectRuntime },
  { name: "go on without the generator", take: removeGenerator },
  { name: "take both back", take: takeBack },
  { name: "a client of the service", take: useClient },
];

async function checkRuntime(trial: Trial): Promise<void> {
  const { runtime, folder } = trial;
  const printed = await npm(trial, folder, ["exec", "--call", "node --version"]);
  assert.equal(printed.trim(), `v${runtime.version}`);
}

async function installGenerator(trial: Trial): Promise<void> {
  const tools = toolsOf(trial);
  mkdirSync(tools);
  writeFileSync(join(tools, "package.json"), JSON.stringify({ private: true }));
  await npm(trial, tools, ["install", trial.archive]);
}

async function initialise(trial: Trial): Promise<string> {
  await generator(trial, ["init", serviceOf(trial), "--example", "helpdesk"]);
  return treeHash(serviceOf(trial));
}

async function generateAgain(trial: Trial): Promise<void> {
  const before = writeTimes(serviceOf(trial));
  const printed = await generator(trial, ["generate", serviceOf(trial)]);
  assert.match(printed, /^Nothing to do/);
  assert.deepEqual(writeTimes(serviceOf(trial)), before);
}

async function askGenerator(trial: Trial): Promise<void> {
  await generator(trial, ["check", serviceOf(trial)]);
  await generator(trial, ["validate", serviceOf(trial)]);
  assert.match(await generator(trial, ["explain", "REP-2"]), /^REP-2/);
}

async function npmInService(trial: Trial, ...parameters: readonly string[]): Promise<void> {
  await npm(trial, serviceOf(trial), parameters);
}

async function serve(trial: Trial, parameters: readonly string[], round: number): Promise<void> {
  const service = await startService(trial.runtime, { folder: serviceOf(trial), parameters });
  try {
    await trySession(service.url, round);
  } finally {
    await service.stop();
  }
}

/** What `npm start` runs, without npm between the signal and the service. */
function startParameters(trial: Trial): readonly string[] {
  const text = readFileSync(join(serviceOf(trial), "package.json"), "utf8");
  // The one that `init` wrote.
  const { scripts } = JSON.parse(text) as { scripts: { start: string } };
  const [command, ...parameters] = scripts.start.split(" ");
  assert.equal(command, "node");
  return parameters;
}

/** The service builds and passes its tests with a runtime of its own, which npm compiles. */
async function ejectRuntime(trial: Trial): Promise<void> {
  await git(trial, "init", "--quiet");
  await git(trial, "add", "--all");
  await git(trial, "commit", "--quiet", "--message=before");
  await generator(trial, ["eject", "runtime"], serviceOf(trial));
  await npmInService(trial, "install");
  await buildAndTest(trial);
}

async function removeGenerator(trial: Trial): Promise<void> {
  await npmInService(trial, "uninstall", "@rulebound/generator");
  // As in a fresh clone: nothing that was compiled is committed.
  rmSync(join(serviceOf(trial), "runtime/dist"), { recursive: true });
  await npmInService(trial, "ci");
  await buildAndTest(trial);
}

/** Nothing that is committed is different afterwards. */
async function takeBack(trial: Trial): Promise<void> {
  const [archive = ""] = readdirSync(join(serviceOf(trial), "vendor"));
  await generator(trial, ["eject", "runtime", "--undo"], serviceOf(trial));
  await npmInService(trial, "install", "--save-dev", `./vendor/${archive}`);
  await buildAndTest(trial);
  assert.equal(await git(trial, "status", "--porcelain"), "");
}

/** What a project does that has nothing but the package of the client. */
const USE = `import { createClient, etagOf, isServiceError } from "helpdesk-client-v1";
const { tickets } = createClient({ baseUrl: process.argv[2] });
const made = await tickets.create({ title: "No toner", email: "desk@example.com" });
await tickets.update(made.ticketId, { priority: 2 }, { ifMatch: etagOf(made) });
await tickets.update(made.ticketId, ({ priority }) => ({ priority: priority + 1 }), { retryOnConflict: true });
const refused = await tickets.create({ title: "" }).catch((error) => error);
const found = [];
for await (const { priority } of tickets.all({ priority: 3 })) found.push(priority);
console.log(isServiceError(refused) && refused.type, found.join());`;

/** The package of a version's client is packed, installed elsewhere, and used on the service. */
async function useClient(trial: Trial): Promise<void> {
  const { runtime, folder } = trial;
  const service = serviceOf(trial);
  appendFileSync(join(service, "service.yaml"), "client: true\n");
  await generator(trial, ["generate", service]);
  const user = join(folder, "user");
  mkdirSync(user);
  const packs = ["pack", "--silent", "--pack-destination", user];
  const archive = await npm(trial, join(service, "client/v1"), packs);
  writeFileSync(join(user, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await npm(trial, user, ["install", `./${archive.trim()}`]);
  writeFileSync(join(user, "use.js"), USE);
  const running = await startService(runtime, { folder: service, parameters: ["dist/main.js"] });
  try {
    const parameters = ["use.js", running.url];
    const use = { command: runtime.node, parameters, cwd: user, env: runtime.env };
    assert.equal(await runQuietly(use), "ValidationFailedMessage 3\n");
  } finally {
    await running.stop();
  }
}

async function git(trial: Trial, ...parameters: readonly string[]): Promise<string> {
  const who = ["-c", "user.name=nodes", "-c", "user.email=nodes@example.com"];
  const all = [...who, ...parameters];
  const cwd = serviceOf(trial);
  return runQuietly({ command: "git", parameters: all, cwd, env: trial.runtime.env });
}

async function buildAndTest(trial: Trial): Promise<void> {
  await npmInService(trial, "run", "build");
  await npmInService(trial, "test");
}

function toolsOf({ folder }: Trial): string {
  return join(folder, "tools");
}

async function generator(
  trial: Trial,
  parameters: readonly string[],
  cwd = trial.folder,
): Promise<string> {
  const installed = join(toolsOf(trial), "node_modules/@rulebound/generator/bin/generator.js");
  const { node, env } = trial.runtime;
  const all = [installed, ...parameters];
  return runQuietly({ command: node, parameters: all, cwd, env });
}

async function npm(
  { runtime }: Trial,
  cwd: string,
  parameters: readonly string[],
): Promise<string> {
  const all = [runtime.npm, ...parameters];
  return runQuietly({ command: runtime.node, parameters: all, cwd, env: runtime.env });
}
