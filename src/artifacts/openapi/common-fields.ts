import { TIMESTAMP_SCHEMA } from "../../kinds/timestamp/timestamp-kind.js";

const TIMESTAMP = { ...TIMESTAMP_SCHEMA, readOnly: true };
const SUBJECT = { $ref: "#/components/schemas/Common.Subject" };

/** ENT-1, in the order in which they are answered. */
export const COMMON_FIELDS = {
  createdDate: { ...TIMESTAMP, description: "When it was created." },
  createdSubject: SUBJECT,
  lastModifiedDate: { ...TIMESTAMP, description: "When it was last changed." },
  lastModifiedSubject: SUBJECT,
};
