import { ANONYMOUS, type Subject } from "../base/common-fields.js";

/** Who sends a request, and as what. */
export interface Caller {
  readonly subject: Subject;
  readonly roles: readonly string[];
  /** True where nobody said who they are. */
  readonly isAnonymous: boolean;
  /** True for the service's own code where it may do everything (AUT-2); left out: false. */
  readonly isUnrestricted?: boolean;
}

/** The caller of a request without credentials (AUT-3). */
export const NOBODY: Caller = Object.freeze({ subject: ANONYMOUS, roles: [], isAnonymous: true });

/** The service itself, in a job that nobody has sent. */
export function serviceCaller(name: string): Caller {
  const subject = { ...ANONYMOUS, userPrincipalName: name };
  return { subject, roles: [], isAnonymous: false, isUnrestricted: true };
}
