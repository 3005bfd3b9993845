import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { secretKey } from "../files/secret-key.js";
import { random } from "./this-machine.js";

/** The key of the user on this machine, for what the generator remembers of a project; null without a home that keeps it. */
export function userKey(project: string): Uint8Array | null {
  const folder = cacheFolder(process.platform, process.env, home());
  const uid = process.getuid?.() ?? null;
  return folder === null ? null : secretKey({ folder, outside: project, uid, random });
}

/** Where the generator keeps what it can do without, as each system wants it; null without such a place. */
export function cacheFolder(
  platform: NodeJS.Platform,
  variables: Readonly<Record<string, string | undefined>>,
  home: string,
): string | null {
  const { XDG_CACHE_HOME: xdg = "", LOCALAPPDATA: local = "" } = variables;
  const parents: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
    win32: local,
    darwin: join(home, "Library/Caches"),
  };
  // A relative path would be ignored by any program, and lead into the project.
  const others = isAbsolute(xdg) ? xdg : join(home, ".cache");
  const parent = parents[platform] ?? others;
  return isAbsolute(parent) ? join(parent, "rulebound") : null;
}

/** Empty for a user without one. */
function home(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}
