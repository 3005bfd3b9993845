/** A text as a message shows it: quoted, at most 60 characters, nothing that moves a terminal's cursor. */
export function quoted(text: string): string {
  const characters = [...text];
  const shown = characters.length > 60 ? `${characters.slice(0, 60).join("")}...` : text;
  return JSON.stringify(shown).replace(INVISIBLE, escapeCharacter);
}

/** A value of any kind as a message shows it: `10`, `true`, `"yes"`, `a list`. */
export function shown(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "a mapping" : String(value);
}

/** How a message names a character that cannot be seen: `U+202E`. */
export function codePoint(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeCharacter(character: string): string {
  return `<${codePoint(character)}>`;
}
