import { createHash } from "node:crypto";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateService, projectFolder } from "./generated-services.js";
import { readTree } from "./read-tree.js";
import { FIXTURES, SERVICE_MAIN, SERVICES, serviceFolder } from "./service-folders.js";
import { bundleService, bundleServiceMain, transpileService } from "./transpile.js";

/** Whatever decides the text of a generated service, and of the program that starts one. */
const PARTS = ["src", "templates", "dist/compiled", "test/support", "test/contract/support"];

/** Generates and compiles the services that tests share, each once for its content: the next project, or run, finds it. */
export async function setup(): Promise<void> {
  linkGenerator();
  const generator = contentOf(PARTS);
  for (const fixture of FIXTURES) {
    const key = `${generator} ${contentOf([projectFolder(fixture)])}`;
    await makeOnce(join(serviceFolder(fixture), ".content"), key, async () => {
      await generateService(fixture);
      await transpileService(serviceFolder(fixture));
      await bundleService(serviceFolder(fixture), { name: "bundle" });
    });
  }
  await makeOnce(`${SERVICE_MAIN}.content`, generator, bundleServiceMain);
}

/** What services have in their package.json: their tests look for it. */
function linkGenerator(): void {
  const link = "node_modules/@rulebound/generator";
  if (!existsSync(link)) symlinkSync("../..", link);
}

/** Makes it unless the mark beside it says that it has this content already. */
async function makeOnce(mark: string, key: string, make: () => Promise<void>): Promise<void> {
  if (existsSync(mark) && readFileSync(mark, "utf8") === key) return;
  await make();
  writeFileSync(mark, key);
}

function contentOf(folders: readonly string[]): string {
  const hash = createHash("sha256").update(SERVICES);
  for (const folder of folders) hash.update(JSON.stringify(readTree(folder)));
  return hash.digest("hex");
}
