import type { Prepared } from "./prepare.js";

/** What an editor looks for in the first lines of a YAML file. */
const MARK = "yaml-language-server:";

/** The first schema file whose own code file is made now, and that names no JSON Schema for editors; null where none is. */
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
