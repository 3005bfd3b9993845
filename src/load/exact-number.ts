/** True if the number that was read equals the number that is written in the YAML: a double holds about 15 digits. */
export function exactly(written: string, read: number): boolean {
  if (/^[-+]?0[xob]/.test(written)) return Number.isSafeInteger(read);
  if (/^[-+]?[0-9]+$/.test(written)) return Number.isSafeInteger(read);
  return digits(written) === digits(String(read));
}

/** The significant digits and their power of ten: the same for `1.50e3` and `1500`. */
function digits(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().replace(/^[-+]/, "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const significant = all.replace(/^0+/, "");
  if (significant === "") return "0";
  const power = whole.length - (all.length - significant.length) + Number(exponent);
  return `${significant.replace(/0+$/, "")}e${power}`;
}
