// Writes docs/changes.md from the fixtures, to be read and committed.
import { writeFileSync } from "node:fs";
import { changesPage } from "./changes-page.js";

writeFileSync("docs/changes.md", await changesPage());
