/** The canonical text of a decimal with `scale` fraction digits: 12.5 -> "12.50". */
export function canonicalDecimal(value: number | string, scale: number): string {
  const text = typeof value === "number" ? plainDigits(value) : value;
  const negative = text.startsWith("-");
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".");
  const digits = (whole + fraction.padEnd(scale, "0").slice(0, scale)).replace(/^0+(?=\d)/, "");
  const padded = digits.padStart(scale + 1, "0");
  const unsigned =
    scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(padded.length - scale)}`;
  return negative && /[1-9]/.test(unsigned) ? `-${unsigned}` : unsigned;
}

/** `String` writes very small numbers with an exponent; a decimal has none. */
function plainDigits(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20) : text;
}
