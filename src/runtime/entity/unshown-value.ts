import type { FieldIssue } from "../base/errors.js";
import { OwnCodeFault } from "../base/custom-code.js";

/** Custom code makes what the older version cannot hold; `fields` are those of that version. */
export class UnshownValue extends OwnCodeFault {
  constructor(
    readonly file: string,
    fields: readonly FieldIssue[],
  ) {
    super(`toOlder in ${file}`, fields);
  }
}
