import { setup } from "../support/services-setup.js";
import { requestPaths } from "./request-paths.js";

await setup();
for (const [method, path] of Object.entries(await requestPaths())) {
  const functions = [...path.values()].flat().length;
  console.log(`${method}: ${functions} functions in ${path.size} files`);
  if (!process.argv.includes("--files")) continue;
  for (const [file, names] of path) console.log(`  ${file}: ${names.join(" ")}`);
}
