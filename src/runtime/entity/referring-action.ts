import type { HttpCall } from "../http/http.js";
import type { RequestContext } from "../http/request-context.js";
import type { JsonObject } from "../input/json.js";
import { readAnswer } from "./action-answer.js";
import { resolveOwn } from "./own-references.js";
import { withIdentifiers } from "./reference-paths.js";
import { lookUp, type References, type ResolvedReferences } from "./references.js";

/** How an action reads a body with references: what they lead to is looked up first, among what the caller may read (REP-4, AUT-2). */
export function referringInput<All extends References, Input>(
  references: All,
  read: (body: JsonObject, resolved: ResolvedReferences<All>) => Input,
) {
  return {
    references,
    read: async (body: JsonObject, call: HttpCall): Promise<Input> =>
      read(body, await lookUp(references, call)),
  };
}

/** How an answer with references is read. */
interface ReferringAnswer<All extends References, Answer> {
  /** `transfer of orders` */
  readonly name: string;
  readonly references: All;
  readonly read: (answer: JsonObject, resolved: ResolvedReferences<All>) => Answer;
}

/**
 * Likewise, what the code of an action answers, whoever calls: what is embedded in it is meant for all who may do the action
 * (AUT-2). Throws `OwnCodeFault` for what breaks a rule, a reference to nothing among that: nothing is stored then.
 */
export async function referringAnswer<All extends References, Answer>(
  { name, references, read }: ReferringAnswer<All, Answer>,
  given: object,
  context: RequestContext,
): Promise<Answer> {
  // It is read as if a client had sent it, whatever its code says that it is.
  const written = withIdentifiers(given as JsonObject, references);
  const resolved = await resolveOwn(references, { written, before: null }, context);
  return readAnswer(name, (answer) => read(answer, resolved), written);
}
