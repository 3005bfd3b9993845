import { mkdirSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compiledText } from "../support/compiled-text.js";
import { SERVICES } from "../support/service-folders.js";
import { KERNEL, type Texts } from "../support/render-files.js";

/** Compiled services, which share one kernel: what one has loaded is there for the next. */
export class CompiledServices {
  private readonly root: string;

  constructor(name: string) {
    this.root = join(SERVICES, "random-services", name);
    rmSync(this.root, { recursive: true, force: true });
  }

  /** The folder of the compiled service. */
  add(name: string, texts: Texts): string {
    const folder = join(this.root, name);
    mkdirSync(join(this.root, "kernel"), { recursive: true });
    for (const [path, text] of Object.entries(texts)) {
      if (path.startsWith(KERNEL)) this.addShared(path.slice(KERNEL.length), text);
      else if (/^(?:src|openapi|migrations)\//.test(path)) write(join(folder, path), text);
    }
    symlinkSync(join(this.root, "kernel"), join(folder, KERNEL.slice(0, -1)));
    write(join(folder, "package.json"), '{ "type": "module" }');
    return folder;
  }

  /** Deletes all of them. */
  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** The kernel is the same in every service, as far as a service has it. */
  private addShared(path: string, text: string): void {
    const target = join(this.root, "kernel", path);
    if (!existsSync(target.replace(/\.ts$/, ".js"))) write(target, text);
  }
}

function write(path: string, text: string): void {
  const isCode = path.endsWith(".ts");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(isCode ? path.replace(/\.ts$/, ".js") : path, isCode ? compiledText(text) : text);
}
