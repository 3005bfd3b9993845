/** A decimal text in units of its last digit: `12.50` with a scale of 2 is 1250. */
export function unitsOf(text: string, scale: number): bigint {
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".");
  const units = BigInt(whole + fraction.padEnd(scale, "0").slice(0, scale));
  return text.startsWith("-") ? -units : units;
}

/** The text of a decimal that is given in units of its last digit. */
export function decimalText(units: bigint, scale: number): string {
  const unsigned = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const sign = units < 0n ? "-" : "";
  if (scale === 0) return sign + unsigned;
  return `${sign}${unsigned.slice(0, -scale)}.${unsigned.slice(-scale)}`;
}
