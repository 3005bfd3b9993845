/** `count` times `step` by its decimal digits: three times 0.1 is 0.3, which a product of floats is not. */
export function exactMultiple(count: number, step: number): number {
  const [mantissa = "0", exponent = "0"] = String(step).split("e");
  const fraction = mantissa.split(".")[1] ?? "";
  const digits = BigInt(mantissa.replace(".", "")) * BigInt(count);
  return Number(`${digits}e${Number(exponent) - fraction.length}`);
}
