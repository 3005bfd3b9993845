import { writeFileSync } from "node:fs";
import { contractPage } from "../../src/rules/rule-page.js";

writeFileSync("docs/contract.md", contractPage());
