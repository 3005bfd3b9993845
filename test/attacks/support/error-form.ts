import type { WireAnswer } from "./wire-connection.js";

/** What tells of the inside (ERR-3). */
const LEAK = /\bat .*\.[jt]s:|node_modules|SQLITE|SELECT /;

/** Whether an answer from 400 up has the body of ERR-1. */
export function isOfContract(bytes: Buffer, { head, body }: WireAnswer): boolean {
  // An answer to HEAD has no body.
  if (bytes.subarray(0, 5).toString("latin1") === "HEAD ") return true;
  if (!/\r\ncontent-type: application\/json; charset=utf-8/i.test(head) || LEAK.test(body))
    return false;
  try {
    const { errors } = JSON.parse(body) as {
      errors?: readonly { type?: string; message?: string }[];
    };
    return (
      errors?.length === 1 && /Message$/.test(errors[0]?.type ?? "") && errors[0]?.message !== ""
    );
  } catch {
    return false;
  }
}
