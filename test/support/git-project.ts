import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gitMerges } from "../../src/cli/git-merges.js";
import type { Environment } from "../../src/commands/environment.js";
import { generate } from "../../src/commands/generate.js";
import type { Outcome } from "../../src/commands/outcome.js";
import type { Result } from "../../src/diagnostics/result.js";
import { nodeFiles } from "../../src/files/node-files.js";
import { machine } from "../unit/apply/project.js";
import type { Texts } from "./render-files.js";

/** A project on disk in a repository of its own, on which the commands run in this process. */
export class GitProject {
  private readonly env: Environment;

  constructor(readonly root: string) {
    this.env = {
      files: nodeFiles,
      root,
      machine: machine("run", () => true),
      version: "1.2.3",
      build: "this",
      cacheKey: () => Buffer.alloc(32, "key"),
      merges: () => Promise.resolve(gitMerges),
    };
    this.write({ ".gitattributes": "generator.lock merge=union\n" });
    this.git("init", "--quiet", "--initial-branch=main");
  }

  write(texts: Texts): void {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
  }

  /** Makes the schemas these and no others. */
  writeSchemas(texts: Texts): void {
    rmSync(join(this.root, "resources"), { recursive: true, force: true });
    this.write(texts);
  }

  generate(): Promise<Result<Outcome>> {
    return generate(this.env, { dryRun: false, force: false });
  }

  /** Every file but those of git and of the generator itself. */
  tree(): Texts {
    const names = readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.root.length + 1))
      .filter((path) => !/^\.(?:git|rulebound)\//.test(path));
    return Object.fromEntries(
      names.sort().map((path) => [path, readFileSync(join(this.root, path), "utf8")]),
    );
  }

  commit(message: string): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", message);
  }

  /** What git prints; throws where it fails. */
  git(...parameters: string[]): string {
    const identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
    return execFileSync("git", [...identity, ...parameters], {
      cwd: this.root,
      encoding: "utf8",
      stdio: "pipe",
    });
  }

  /** Merges a branch, and gives the paths that git could not merge. */
  merge(branch: string): readonly string[] {
    try {
      this.git("merge", "--quiet", "--no-edit", branch);
      return [];
    } catch {
      return this.git("diff", "--name-only", "--diff-filter=U").split("\n").filter(Boolean);
    }
  }
}
