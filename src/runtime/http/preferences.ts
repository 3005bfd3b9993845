/** One element of a header such as `Accept`: `application/json;charset=utf-8;q=0.5`. */
export interface Preference {
  /** In lower case: `application/json`. */
  readonly name: string;
  /** In lower case, without white space: `charset=utf-8`; the weight is not one of them. */
  readonly parameters: readonly string[];
  /** From 0, not acceptable, to 1 (RFC 9110, 12.4.2). */
  readonly weight: number;
}

/** Text up to a comma outside quotes. A quote that is never closed ends with the text, so that no part is read twice. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

/** Reads the elements of a header that says what a client prefers, in time linear in its length. */
export function preferences(header: string): readonly Preference[] {
  return (header.match(ELEMENT) ?? []).map(preference);
}

function preference(element: string): Preference {
  const [name = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return {
    name,
    parameters: parameters.filter((parameter) => parameter !== weight).map(plain),
    // A weight that is not a number makes its element not acceptable.
    weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0,
  };
}

function plain(parameter: string): string {
  return parameter.replaceAll(/[\s"]/g, "");
}
