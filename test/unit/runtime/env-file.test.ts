import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
const reader = join(folder, "reader.mjs");
buildSync({
  stdin: {
    contents: `import { withEnvFile } from "#runtime/service/environment";
      process.stdout.write(JSON.stringify(withEnvFile({ OWN: "own" })));`,
    resolveDir: resolve("."),
  },
  bundle: true,
  format: "esm",
  platform: "node",
  outfile: reader,
});

/** What a program in a folder with this `.env` reads, or says before it ends. */
function read(file: string | Uint8Array): { variables: object | null; said: string } {
  writeFileSync(join(folder, ".env"), file);
  const { status, stdout, stderr } = spawnSync(process.execPath, [reader], {
    cwd: folder,
    encoding: "utf8",
  });
  rmSync(join(folder, ".env"));
  return { variables: status === 0 ? (JSON.parse(stdout) as object) : null, said: stderr };
}

const URL = "DATABASE_URL=postgres://store@db/store";

test.each<{ name: string; file: string | Uint8Array; want: object }>([
  { name: "a byte order mark", file: `\uFEFF${URL}\n`, want: { DATABASE_URL: URL.slice(13) } },
  { name: "Windows lines", file: `A=1\r\nB=2\r\n`, want: { A: "1", B: "2" } },
  {
    name: "comments, blank lines, export and quotes",
    file: `# one\n\n export A = "a b" # two\nB='c=d'\nC=\n`,
    want: { A: "a b", B: "c=d", C: "" },
  },
  {
    name: "white space",
    file: `A=1\n \t\nB=2\n  # c\n\tC=3\nexport\t D\t=\t4\n\nMY-VAR=5\n`,
    want: { A: "1", B: "2", C: "3", D: "4", "MY-VAR": "5" },
  },
  {
    name: "a value of several lines",
    file: `KEY="-----BEGIN \nnot a line\n-----END"\nB=1 \n`,
    want: { KEY: "-----BEGIN \nnot a line\n-----END", B: "1" },
  },
])("$name hides nothing", ({ file, want }) => {
  expect(read(file)).toEqual({ variables: { ...want, OWN: "own" }, said: "" });
});

test.each<{ name: string; file: string | Uint8Array; said: string }>([
  {
    name: "UTF-16",
    file: Buffer.from(`\uFEFF${URL}\n`, "utf16le"),
    said: ".env is not UTF-8: save it as UTF-8.",
  },
  {
    name: "UTF-16 without a mark",
    file: Buffer.from(`${URL}\n`, "utf16le"),
    said: ".env is not UTF-8: save it as UTF-8.",
  },
  {
    name: "a line without =",
    file: `A=1\n${URL.replace("=", ": ")}\n`,
    said: ".env:2 is not NAME=value.",
  },
  {
    name: "an open quotation",
    file: `A="1\nB=2\n`,
    said: ".env:1 has an unclosed quotation mark, or text after it.",
  },
  {
    name: "a second variable on the line",
    file: `A="x" ${URL}\n`,
    said: ".env:1 has an unclosed quotation mark, or text after it.",
  },
  {
    name: "a forgotten quotation mark",
    file: `A='x\n${URL}\nB='z'\n`,
    said: ".env:1 has an unclosed quotation mark, or text after it.",
  },
])("$name ends the process with one line", ({ file, said }) => {
  expect(read(file)).toEqual({ variables: null, said: `The service cannot start: ${said}\n` });
});
