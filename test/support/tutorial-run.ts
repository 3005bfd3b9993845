import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { SERVICES } from "./service-folders.js";
import { edited, outputProblem, type TutorialStep } from "./tutorial.js";

const PORT_ON_THE_PAGE = "http://127.0.0.1:3000";
const GENERATOR = `node ${resolve("bin/generator.js")}`;

/** What is run in place of a command of the page: the packages are the repository's, and nothing is compiled to be run. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^npm install\b.*$/, "true"],
  [/^npm run build$/, "true"],
  [/^npm run migrate(?: --)?/, "node --import tsx src/migrate.ts"],
  [/^npm run seed$/, "node --import tsx tools/seed.ts"],
  [/^npx tsx /, "node --import tsx "],
  [/^npx generator /, `${GENERATOR} `],
  [/^npx openapi-typescript /, `node ${resolve("node_modules/openapi-typescript/bin/cli.js")} `],
  [/^git commit /, "git -c user.name=reader -c user.email=reader@example.com commit "],
];

/** One reader of a tutorial, in a folder of its own inside the repository, where the packages are found. */
export class TutorialRun {
  private folder: string;
  private service: ChildProcess | null = null;
  private url = PORT_ON_THE_PAGE;

  constructor(
    name: string,
    private readonly takePicture: (page: string, picture: string) => Promise<void> = async () => {},
  ) {
    this.folder = join(SERVICES, name);
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
  }

  /** Does what a step says. Throws where the page is wrong. */
  async go(step: TutorialStep): Promise<void> {
    switch (step.kind) {
      case "write":
        return this.write(step.path, step.text);
      case "edit":
        return this.write(step.path, edited(this.read(step.path), step.lines));
      case "picture":
        return this.takePicture(join(this.folder, "changes.html"), step.name);
      case "run":
        return this.run(step.command, step.output);
    }
  }

  /** Where the reader is. */
  get path(): string {
    return this.folder;
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  stop(): void {
    this.service?.kill("SIGKILL");
    this.service = null;
  }

  private write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  private async run(command: string, output: readonly string[]): Promise<void> {
    const [, below] = /^cd ([\w-]+)$/.exec(command) ?? [];
    if (below !== undefined) {
      this.folder = join(this.folder, below);
      return;
    }
    if (command === "npm start") return this.start();
    const found = await this.shell(command);
    const problem = outputProblem(found.replaceAll(this.url, PORT_ON_THE_PAGE), output);
    if (problem !== null) throw new Error(`${command}\n${problem}`);
  }

  /** What a command prints on both streams. */
  private shell(command: string): Promise<string> {
    const own = INSTEAD.find(([pattern]) => pattern.test(command));
    const instead = own === undefined ? command : command.replace(own[0], own[1]);
    const text = instead
      .replaceAll(PORT_ON_THE_PAGE, this.url)
      .replaceAll("npx generator ", `${GENERATOR} `);
    return new Promise((done) => {
      execFile(
        "bash",
        ["-c", `{ ${text}\n} 2>&1`],
        { cwd: this.folder, env: this.environment(), maxBuffer: 64 * 1024 * 1024 },
        (_, out) => done(out),
      );
    });
  }

  private environment(): NodeJS.ProcessEnv {
    return { ...process.env, BASE_URL: this.url, NO_COLOR: "1", MIGRATE_AT_START: undefined };
  }

  /** Starts what the folder holds now, in place of what ran before, and waits until it answers. */
  private async start(): Promise<void> {
    if (this.service !== null) {
      const gone = new Promise((done) => this.service?.on("exit", done));
      this.service.kill("SIGTERM");
      await gone;
    }
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    const env = { ...this.environment(), PORT: String(port) };
    const service = spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
      ...{ cwd: this.folder, env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.service = service;
    let said = "";
    for (const stream of [service.stdout, service.stderr]) {
      stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    }
    for (let tries = 0; tries < 600; tries += 1) {
      if (service.exitCode !== null) throw new Error(`the service has ended:\n${said}`);
      const answer = await fetch(`${this.url}/readyz`).catch(() => null);
      if (answer?.ok === true) return;
      await new Promise((resolve_) => setTimeout(resolve_, 200));
    }
    throw new Error(`the service does not answer:\n${said}`);
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.on("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => done(port));
    });
  });
}
