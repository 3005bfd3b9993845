// Writes what is printed for fixtures under `fixtures/invalid`, named by their codes, to be read and committed.
import { writeFileSync } from "node:fs";
import { format } from "../../src/diagnostics/format.js";
import { nodeFiles } from "../../src/files/node-files.js";
import { load } from "../../src/load/load.js";
import { validate } from "../../src/validate/validate.js";
for (const code of process.argv.slice(2)) {
  const loaded = load(nodeFiles, `fixtures/invalid/${code}`);
  const { diagnostics } = loaded.ok ? await validate(loaded.value) : loaded;
  writeFileSync(`fixtures/invalid/${code}/stderr.txt`, format(diagnostics));
}
