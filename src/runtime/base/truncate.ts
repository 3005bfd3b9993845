const LONGEST = 40;

/** Input as a message may show it: at most 40 characters, an ellipsis where something was cut. */
export function truncate(text: string): string {
  if (text.length <= LONGEST) return text;
  const last = text.charCodeAt(LONGEST - 2);
  // A pair of surrogates is one character: it stays whole or goes whole.
  const end = last >= 0xd800 && last <= 0xdbff ? LONGEST - 2 : LONGEST - 1;
  return `${text.slice(0, end)}…`;
}
