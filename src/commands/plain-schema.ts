import type { Prepared } from "./prepare.js";

/** What an editor looks for in the first lines of a YAML file. */
const MARK = "yaml-language-server:";

/** The first new schema file (its code file is created by this run) without a line that names the JSON Schema for editors; null if there is none. */
export function newPlainSchema({ project, plan }: Prepared): string | null {
  const made = plan.changes.flatMap((change) =>
    change.kind === "created" && change.owner === "user" ? [nameOf(change.path)] : [],
  );
  const plain = project.tree.resources.find(
    (document) => made.includes(nameOf(document.path)) && !textOf(document).includes(MARK),
  );
  return plain?.path ?? null;
}

function textOf({ locate }: Prepared["project"]["tree"]["resources"][number]): string {
  return locate([]).source;
}

/** `src/custom/orders.ts` and `resources/v1/orders.yaml` are both `orders`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, path.lastIndexOf("."));
}
