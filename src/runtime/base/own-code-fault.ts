import type { FieldIssue } from "./errors.js";

/**
 * The service's own code wrote what breaks a rule (REP-9), or looked for what no entity can have: nothing is stored or
 * sent, and the answer is 500. The log tells which code it was, and what is wrong with which property.
 */
export class OwnCodeFault extends Error {
  override readonly name = "OwnCodeFault";

  constructor(
    /** `beforeCreate of orders` */
    readonly code: string,
    readonly fields: readonly FieldIssue[],
  ) {
    const faults = fields.map(({ field, message }) => `${field} ${message}`);
    super(`${code} breaks a rule: ${faults.join("; ")}`);
  }
}
