import type { Answer } from "./client.js";
import { isAskingCode, type ResourceFacts } from "./resource-facts.js";
import type { Suite } from "./suite.js";

type Right = "read" | "update" | "delete";

/**
 * A new entity that whoever made it may read, change or delete; null where there can be none, or where the service's own
 * code, which the schema leaves that to (AUT-2), does not allow it.
 */
export async function newEntity(suite: Suite, right: Right): Promise<Answer | null> {
  const made = await suite.client().createIfOffered();
  return made !== null && (await isAllowed(suite, made, right)) ? made : null;
}

async function isAllowed({ facts, client }: Suite, made: Answer, right: Right): Promise<boolean> {
  const path = client().pathOf(made);
  if (isAskingCode(facts.access.read) && facts.operations.includes("read")) {
    if ((await client().get(path)).status === 404) return false;
  }
  if (right === "read" || !isAskingCode(facts.access[right])) return true;
  // Who may not change it is told so first; nobody changes a revision that does not exist.
  const another = { "if-match": '"another"' };
  const change = facts.operations.includes("update") ? "PATCH" : "PUT";
  const { status } = await (right === "delete"
    ? client().send("DELETE", path, undefined, another)
    : client().send(change, path, "{}", another));
  return status !== 403 && status !== 404;
}

/** Whether the service's own code shows nothing of a collection to whoever asked. */
export function isWithheld({ access }: ResourceFacts, { status }: Answer): boolean {
  return status === 403 && isAskingCode(access.read);
}
