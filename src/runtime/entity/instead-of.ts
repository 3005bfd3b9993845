/** The value that is shown instead of one of another entity that is embedded. */
export function insteadOf(instead: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(instead, value) ? (instead[value] ?? value) : value;
}
