// A running service in one command: makes ./helpdesk from the example, installs, builds and starts it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const HOST = "127.0.0.1";
/** How long the service may take to answer, in milliseconds. */
const PATIENCE = 30_000;
const generator = fileURLToPath(new URL("generator.js", import.meta.url));
const folder = resolve("helpdesk");
const npm = process.env["npm_execpath"];

/** What runs now: it gets Ctrl-C and the signal of a supervisor. */
let running = null;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => (running === null ? process.exit(130) : running.kill(signal)));
}

if (process.argv.includes("--help")) {
  console.log(
    "Makes ./helpdesk, and starts it at the port of PORT (3000, or the next that is free).",
  );
} else {
  process.exitCode = await quickstart();
}

async function quickstart() {
  const builder = fileURLToPath(new URL("build.js", import.meta.url));
  const dist = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
  const isMade = existsSync(resolve(folder, "service.yaml"));
  const port = await freePort(Number(process.env["PORT"] ?? 3000));
  return (
    (existsSync(dist) ? 0 : await node([builder], "Building the generator")) ||
    (await (isMade
      ? node(
          [generator, "generate", folder],
          "There is a ./helpdesk already: bringing it up to date",
        )
      : node([generator, "init", folder, "--example", "helpdesk"], "Making ./helpdesk"))) ||
    (await runNpm(["install"], "Installing what it needs")) ||
    (await runNpm(["run", "build"], "Building it")) ||
    (await runNpm(["run", "seed"], "Adding a few tickets")) ||
    (await serve(port))
  );
}

function node(parameters, title) {
  console.log(`\n> ${title}`);
  // What the generator says is meant for somebody who goes on by hand.
  return run(process.execPath, parameters, { stdio: ["ignore", "ignore", "inherit"] });
}

/** The npm that started this script, if one did: that needs no shell on any system. */
function runNpm(parameters, title) {
  console.log(`\n> ${title}: npm ${parameters.join(" ")}`);
  return npm === undefined
    ? run("npm", parameters, { cwd: folder })
    : run(process.execPath, [npm, ...parameters], { cwd: folder });
}

async function serve(port) {
  console.log(`\n> Starting it`);
  const parameters = ["--disable-warning=ExperimentalWarning", "dist/bundle/main.js"];
  const env = { ...process.env, HOST, PORT: String(port) };
  // In a group of its own, a Ctrl-C reaches it once, from here: a second one would cut its shutdown short.
  const detached = process.platform !== "win32";
  const stdio = ["ignore", "inherit", "inherit"];
  const ended = run(process.execPath, parameters, { cwd: folder, env, detached, stdio });
  const base = `http://${HOST}:${port}`;
  if (await answers(base, ended)) {
    console.log(next(base));
  }
  return ended;
}

/** What to try now. */
function next(base) {
  return `
The help desk is running, with a few tickets in it. In another terminal:

  curl "${base}/api/v1/tickets?status=open&sort=priority"

Then try:
  1. Open ${base}/docs, and create a ticket without a title.
  2. In ${folder}, add a property to resources/v1/tickets.yaml, such as
       phone: { type: string, maxLength: 40, filterable: true }
     Stop this service (Ctrl-C), and run "npx generator generate && npm run build && npm start" there.
     The start applies the migration.
  3. Run "npm test" there: it checks the service against every rule of the contract.

Ctrl-C stops the service.
`;
}

/** True as soon as the service is ready; false when it ended instead, or takes too long. */
async function answers(base, ended) {
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  for (const deadline = Date.now() + PATIENCE; isRunning && Date.now() < deadline;) {
    const ready = await fetch(`${base}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}

/** Runs a program to its end and gives its exit code; stopped by Ctrl-C counts as well done. */
function run(command, parameters, options) {
  return new Promise((done) => {
    const child = spawn(command, parameters, { stdio: "inherit", ...options });
    running = child;
    child.on("error", (error) => {
      console.error(`${command} can not be run: ${error.message}`);
      done(1);
    });
    child.on("exit", (code, signal) => {
      running = null;
      done(code ?? (signal === "SIGINT" ? 0 : 1));
    });
  });
}

/** The first port from `first` on that nothing listens on. */
async function freePort(first) {
  for (let port = first; port < first + 20; port += 1) if (await isFree(port)) return port;
  return first;
}

function isFree(port) {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen(port, HOST, () => server.close(() => done(true)));
  });
}
