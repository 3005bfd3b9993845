import { devNull } from "node:os";
import { delimiter } from "node:path";

/** Where packages come from, and how: the one thing of the caller's npm that the runs share. */
const SHARED = /^npm_config_(?:cache|registry|cafile|ca|proxy|https_proxy|noproxy)$/i;

/**
 * The environment of a program: the given folders first on the path, and npm as someone has it who never configured it, but
 * for its remarks on audits, funding and newer versions of itself.
 */
export function cleanEnvironment(...folders: readonly string[]): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => name !== "NODE_OPTIONS" && (!/^npm_/i.test(name) || SHARED.test(name)),
  );
  return {
    ...Object.fromEntries(own),
    PATH: [...folders, process.env["PATH"]].join(delimiter),
    npm_config_userconfig: devNull,
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  };
}
