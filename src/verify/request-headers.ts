import type { ResourceModel } from "../model/resource-model.js";
import type { Caller } from "./caller.js";

/** OPS-10: the headers of a change, which accept any revision. */
export function conditionOf(
  method: string,
  resource: ResourceModel | undefined,
): Readonly<Record<string, string>> {
  const isChange = ["PUT", "PATCH", "DELETE"].includes(method);
  return isChange && resource?.isMatchRequired === true ? { "if-match": "*" } : {};
}

/** AUT-1: the header of a caller; none without a token. */
export function bearer({ token }: Caller): Readonly<Record<string, string>> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
