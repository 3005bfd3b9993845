import { execFile } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SERVICES, serviceFolder } from "../support/service-folders.js";

const WHOLE = serviceFolder("versions");
const ROOT = join(SERVICES, "mutants", `laws-${process.pid}`);
const WORKERS = 2;
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

/** A conversion that is gone, or stands in for another one. */
interface Fault {
  readonly plural: string;
  readonly find: string;
  readonly replace: string;
}

/** Each conversion of a file dropped, and each swapped with the one that follows it. */
function faultsIn(plural: string): Fault[] {
  const text = readFileSync(pathOf(WHOLE, plural), "utf8");
  const all = [
    // What is stored is shown as it is, and what is sent is stored as it is.
    ...replaced(text, /\w+Conversion\.toShown\(([\w.]+)\)/g, (_, value = "") => value),
    ...replaced(text, /\w+Conversion\.toStored\(\s*([\w.]+),[^)]*\)/g, (_, value = "") => value),
    ...replaced(text, /storedOf\(\s*\w+,\s*([\w.]+),[^)]*\)/g, (_, value = "") => value),
    // What is not shown is lost.
    ...replaced(text, /(\w+): stored\?\.\1 \?\? null/g, (_, name = "") => `${name}: null`),
    ...replaced(text, /stored === null \? (\S+) : stored\.\w+/g, (_, preset = "") => preset),
    // What is converted by the service's own code is always made anew.
    ...replaced(text, /stored && \{/g, () => "null && {"),
    // A property is neither shown nor written.
    ...replaced(text, /^( {4}\w+): \w+\.\w+,$/gm, (_, name = "") => `${name}: null,`),
  ];
  // The service's own code makes nothing that the older version shows of the language.
  const isUnused = ({ find }: Text): boolean => find.includes("callLanguage: customer.");
  return [...all, ...swapped(text)]
    .filter((fault) => !isUnused(fault))
    .filter(({ find }) => !/(?:Date|Subject|Id|customer|gift|email):/.test(find))
    .map((fault) => ({ plural, ...fault }));
}

type Text = Pick<Fault, "find" | "replace">;

function replaced(
  text: string,
  pattern: RegExp,
  write: (...found: readonly (string | undefined)[]) => string,
): Text[] {
  return [...text.matchAll(pattern)].map((match) => ({
    find: match[0],
    replace: write(...match),
  }));
}

/** The values of two neighbours, each for the other. */
function swapped(text: string): Text[] {
  const pairs = text.matchAll(
    /(\w+): ((?:stored|sent)\.\w+),(\s+)(\w+): ((?:stored|sent)\.\w+)(?=[ ,])/g,
  );
  return [...pairs].map(([find, a = "", first = "", gap = "", b = "", second = ""]) => ({
    find,
    replace: `${a}: ${second},${gap}${b}: ${first}`,
  }));
}

function pathOf(folder: string, plural: string): string {
  return join(folder, `src/generated/v1/${plural}/${plural}.conversions.ts`);
}

/** Says whether the tests that were generated for both versions fail. */
async function isNoticed({ plural, find, replace }: Fault, name: string): Promise<boolean> {
  const folder = join(ROOT, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(WHOLE, folder, { recursive: true });
  const path = pathOf(folder, plural);
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  const file = `test/generated/v1-to-v2-${plural}.test.ts`;
  const parameters = ["--import", "tsx", "--test", "--test-reporter=tap", file];
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, parameters, { cwd: folder, maxBuffer: 2 ** 26 }, (_error, out) =>
      done(out),
    );
  });
  return /^not ok /m.test(output);
}

test(
  "a conversion that is dropped or swapped makes the tests of the service fail",
  { timeout: 600_000 },
  async () => {
    const faults = ["customers", "orders"].flatMap(faultsIn);
    const missed: Fault[] = [];
    const waiting = [...faults];
    const work = async (worker: number): Promise<void> => {
      for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
        if (!(await isNoticed(fault, String(worker)))) missed.push(fault);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
    expect(missed).toEqual([]);
    expect(faults.length).toBeGreaterThan(25);
  },
);
