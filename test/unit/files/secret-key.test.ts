import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cacheFolder } from "../../../src/cli/user-key.js";
import { secretKey } from "../../../src/files/secret-key.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const uid = process.getuid?.() ?? null;
const outside = "/a/project";

function keyIn(folder: string): Uint8Array | null {
  return secretKey({ random: randomBytes, folder, outside, uid });
}

test("a key is made once, for its user alone, with the folders above it", () => {
  const folder = join(temporaryFolder(), "cache/rulebound");
  const key = keyIn(folder);
  expect(key).toHaveLength(32);
  expect(keyIn(folder)).toEqual(key);
  expect(keyIn(join(temporaryFolder(), "rulebound"))).not.toEqual(key);
  expect(readdirSync(folder)).toEqual(["cache.key"]);
  expect(statSync(join(folder, "cache.key")).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

const KEY = Buffer.alloc(32, 1);

const UNFIT: Readonly<Record<string, (path: string) => void>> = {
  "too short": (path) => writeFileSync(path, KEY.subarray(1), { mode: 0o600 }),
  "too long": (path) => writeFileSync(path, Buffer.alloc(33), { mode: 0o600 }),
  empty: (path) => writeFileSync(path, "", { mode: 0o600 }),
  "read by others": (path) => (writeFileSync(path, KEY), chmodSync(path, 0o604)),
  "read by a group": (path) => (writeFileSync(path, KEY), chmodSync(path, 0o640)),
  "written by others": (path) => (writeFileSync(path, KEY), chmodSync(path, 0o602)),
  "a link": (path) => {
    writeFileSync(`${path}.other`, KEY, { mode: 0o600 });
    symlinkSync(`${path}.other`, path);
  },
  "a link to nothing": (path) => symlinkSync(`${path}.other`, path),
  "a folder": (path) => mkdirSync(path),
  "a pipe": (path) => void execFileSync("mkfifo", ["-m", "600", path]),
};

test.each(Object.entries(UNFIT))("a key that is %s is not used, and stays as it is", (_, make) => {
  const folder = temporaryFolder();
  const path = join(folder, "cache.key");
  make(path);
  const before = readdirSync(folder);
  expect(keyIn(folder)).toBe(null);
  expect(readdirSync(folder)).toEqual(before);
});

test("a key of somebody else is not used", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "cache.key"), KEY, { mode: 0o600 });
  expect(keyIn(folder)).toEqual(KEY);
  expect(secretKey({ random: randomBytes, folder, outside, uid: (uid ?? 0) + 1 })).toBe(null);
});

test("no key is read from the project, or made there, whatever links lead to it", () => {
  const project = temporaryFolder();
  const folder = join(project, ".cache/rulebound");
  expect(secretKey({ random: randomBytes, folder, outside: project, uid })).toBe(null);
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "cache.key"), KEY, { mode: 0o600 });
  const link = join(temporaryFolder(), "link");
  symlinkSync(folder, link);
  expect(secretKey({ random: randomBytes, folder: link, outside: project, uid })).toBe(null);
  expect(keyIn(folder)).toEqual(KEY);
});

test("where no folder can be made, there is no key", () => {
  const home = temporaryFolder();
  writeFileSync(join(home, ".cache"), "");
  expect(keyIn(join(home, ".cache/rulebound"))).toBe(null);
});

test.each([
  ["linux", {}, "/home/ada", "/home/ada/.cache/rulebound"],
  ["linux", { XDG_CACHE_HOME: "/var/cache/ada" }, "/home/ada", "/var/cache/ada/rulebound"],
  ["linux", { XDG_CACHE_HOME: "cache" }, "/home/ada", "/home/ada/.cache/rulebound"],
  ["linux", {}, "", null],
  ["linux", {}, "home", null],
  ["freebsd", {}, "/home/ada", "/home/ada/.cache/rulebound"],
  ["darwin", { XDG_CACHE_HOME: "/x" }, "/Users/ada", "/Users/ada/Library/Caches/rulebound"],
  ["darwin", {}, "", null],
  ["win32", { LOCALAPPDATA: "/c/ada/Local" }, "/c/ada", "/c/ada/Local/rulebound"],
  ["win32", {}, "/c/ada", null],
] as const)("on %s with %j, the cache of %j is %j", (platform, variables, home, folder) => {
  expect(cacheFolder(platform, variables, home)).toBe(folder);
});
