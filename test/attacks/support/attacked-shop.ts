import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const GENERATOR = join(ROOT, "bin/generator.js");
const COMPILER = join(ROOT, "node_modules/@typescript/native/bin/tsc");

/** Whose tokens the attacked services accept. */
export const ISSUER = "https://login.example.com/";
export const AUDIENCE = "shop";

/** Everybody who has a token may use all of it, but for what only clerks may do. */
const BEARER = `authentication:
  scheme: bearer
  issuer: ${ISSUER}
  audience: ${AUDIENCE}
  keys: https://login.example.com/.well-known/jwks.json
  roles: roles
`;
const CLERKS = `access:
  create: ["role:clerk"]
  update: ["role:clerk"]
  delete: ["role:clerk"]
`;
const OWNERS = `access:
  update: [owner, "role:clerk"]
  delete: [owner, "role:clerk"]
`;
/** Times short enough to be waited for, and texts long enough to make pages large. */
const EXTREME = "limits: { requestSeconds: 3, stringCharacters: 1000000 }\n";

const ANNOUNCING = "events: [created, updated, deleted]\n";
/** Webhooks of the environment, as JSON. */
const WEBHOOKS = `import { variables } from "@rulebound/runtime";
import { defineApp } from "./generated/app.js";

export interface Provided {
  readonly webhooks: string;
}

export default defineApp({
  environment: { WEBHOOKS: variables.text() },
  provide: ({ environment }): Provided => ({ webhooks: environment.WEBHOOKS }),
  events: { webhooks: ({ webhooks }) => JSON.parse(webhooks) },
});
`;

/** A rule about users, and hooks that throw as much as an error can hold; each message is new, so that its line is whole. */
const RULES = `import type { UserHooks } from "../generated/entities/users/users.hooks.js";

const MANY = 100_000;
const errors = Array.from({ length: MANY }, (_, index) => new Error("part " + index));
const causes = errors.reduce((cause, { message }) => new Error(message, { cause }));
const values = Array.from({ length: MANY }, (_, index) => ({ toJSON: () => new Error("value " + index).stack }));
const bytes = Buffer.alloc(20_000_000);
let made = 0;

const thrown: Record<string, (message: string) => Error> = {
  errors: (message) => new AggregateError(errors, message),
  causes: (message) => new Error(message, { cause: causes }),
  values: (message) => Object.assign(new Error(message), { values }),
  bytes: (message) => Object.assign(new Error(message), { bytes }),
};

export const users: UserHooks = {
  validate({ firstName, lastName }, _stored, problems) {
    if (firstName === lastName) problems.add("lastName", "is the first name");
  },
  beforeCreate({ company }) {
    const error = thrown[company ?? ""]?.("thrown " + (made += 1));
    if (error !== undefined) throw error;
  },
};
`;

/**
 * `usual`: with the limits of every service; `extreme`: see above; `announcing`: with events of merchants; `ruled`: with
 * custom code for users.
 */
export type ShopVariant = "usual" | "extreme" | "announcing" | "ruled";

/** A folder for services, outside the repository, from where its packages are found. */
export function newBuildFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "attacked-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Makes the shop as a user does (`init`, an edit of the YAML, `generate`, its own build); returns its folder. */
export function buildShop(variant: ShopVariant, builds: string): string {
  const folder = join(builds, variant, "shop");
  run(ROOT, [GENERATOR, "init", folder, "--example", "shop"]);
  edit(join(folder, "service.yaml"), (text) => {
    const changed = text.replace(/^authentication:\n {2}scheme: none\n/m, BEARER);
    return changed + (variant === "extreme" ? EXTREME : "");
  });
  const events = variant === "announcing" ? ANNOUNCING : "";
  edit(join(folder, "resources/v1/merchants.yaml"), (text) => text + CLERKS + events);
  edit(join(folder, "resources/v1/tickets.yaml"), (text) => text + OWNERS);
  run(folder, [GENERATOR, "generate"]);
  if (variant === "announcing") writeFileSync(join(folder, "src/app.ts"), WEBHOOKS);
  if (variant === "ruled") writeFileSync(join(folder, "src/custom/users.ts"), RULES);
  run(folder, [COMPILER]);
  run(folder, ["--import", "tsx", "tools/bundle.ts"]);
  return folder;
}

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, "utf8");
  const changed = change(text);
  if (changed === text) throw new Error(`${path} could not be edited`);
  writeFileSync(path, changed);
}

function run(cwd: string, parameters: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${parameters.join(" ")} fails:\n${stdout}${stderr}`);
}
