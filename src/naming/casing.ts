import { camelCase, kebabCase } from "change-case";

/** NAM-2, NAM-4: says whether a text is a camelCase name. */
export function isCamelCase(text: string): boolean {
  return /^[a-z][a-zA-Z0-9]*$/.test(text);
}

/** NAM-1, NAM-5: says whether a text is a name in lower case without separators. */
export function isLowerCaseName(text: string): boolean {
  return /^[a-z][a-z0-9]*$/.test(text);
}

/** The camelCase name nearest to a text, or null: `NavyBlue` -> `navyBlue`, `1st` -> `value1st`. */
export function toCamelCase(text: string): string | null {
  const name = camelCase(asciiWords(text)).replace(/_/g, "");
  const started = /^[0-9]/.test(name) ? `value${name}` : name;
  return isCamelCase(started) ? started : null;
}

/** The resource name nearest to a text, or null: `shipping_fees` -> `shippingfees`. */
export function toLowerCaseName(text: string): string | null {
  const name = asciiWords(text)
    .replace(/\s+/g, "")
    .toLowerCase()
    .replace(/^[0-9]+/, "");
  return isLowerCaseName(name) ? name : null;
}

/** The name of a service nearest to a text, or null: `My Shop` -> `my-shop`. */
export function toDashedName(text: string): string | null {
  const name = kebabCase(asciiWords(text)).replace(/^[0-9-]+/, "");
  return isDashedName(name) ? name : null;
}

/** Says whether a text can name a service: lower-case letters, digits and single dashes, at most 60 characters. */
export function isDashedName(text: string): boolean {
  return /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(text) && text.length <= 60;
}

/** The words of a text in ASCII: accents are dropped, and anything but a letter or digit separates two words. */
function asciiWords(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-zA-Z0-9]+/g, " ")
    .trim();
}
