/** How much `verify` takes of one answer, so that no service can occupy it forever or fill its memory. */
export interface AnswerBounds {
  /** From the request to the end of the answer. */
  readonly milliseconds: number;
  readonly bytes: number;
}

/** More than any answer of a service has: a page has 4 MiB unless its settings say otherwise. */
export const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Why an answer that goes beyond them is given up. */
export function beyond({ milliseconds, bytes }: AnswerBounds): { late: string; large: string } {
  return {
    late: `no whole answer within ${milliseconds / 1000} seconds`,
    large: `an answer of more than ${bytes} bytes`,
  };
}
