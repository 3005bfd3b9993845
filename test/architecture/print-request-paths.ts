import { setup } from "../support/services-setup.js";
import { requestPaths } from "./request-paths.js";

// `--json`: for a test, which has set up the services, and whose process has other services with timers of their own.
const isForTest = process.argv.includes("--json");
if (!isForTest) await setup();
const paths = await requestPaths();
if (isForTest) {
  const entries = Object.entries(paths).map(([method, path]) => [method, Object.fromEntries(path)]);
  console.log(JSON.stringify(Object.fromEntries(entries)));
} else {
  for (const [method, path] of Object.entries(paths)) {
    const functions = [...path.values()].flat().length;
    console.log(`${method}: ${functions} functions in ${path.size} files`);
    if (!process.argv.includes("--files")) continue;
    for (const [file, names] of path) console.log(`  ${file}: ${names.join(" ")}`);
  }
}
