// Part of `npm run lint`: sentences that a reader would stop at.
import { textOf } from "../architecture/source-tree.js";
import { proseFindings } from "./lint.js";
import { prosePaths } from "./scopes.js";

const sources = prosePaths().map((path) => ({ path, source: textOf(path) }));
const findings = await proseFindings(sources);
for (const finding of findings) process.stdout.write(`${finding}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
