import type { ResourceModel } from "../model/resource-model.js";
import { subjectOf } from "./caller.js";
import type { Asking } from "./conditions.js";
import type { Session } from "./session.js";

/** When lists of a resource are asked for, and by whom: left out, by who has the most access to it. */
export function askingAs(
  session: Session,
  resource: ResourceModel,
  caller = session.callerFor(resource),
): Asking {
  const { now, model } = session.options;
  const { authentication } = model;
  const issuer = authentication.scheme === "bearer" ? authentication.issuer : "";
  const subjectId = caller.token === null ? null : subjectOf(caller, issuer).subjectId;
  return { now: now(), subjectId };
}
