/** What moves the cursor of a terminal, ends a line or turns text around; halves of a character. */
const CONTROLS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;
const COLOR = /\p{Cc}\[\d{1,2}m/u;
const CONTROLS_OR_COLORS = new RegExp(`${COLOR.source}|${CONTROLS.source}`, "gu");

/** Text from elsewhere, such as a file name or the answer of a service, in one line: controls are escaped, `\\u001b`. */
export function visible(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/**
 * Text as a terminal prints it: controls are escaped, other than line feeds and, where `hasColors`, colors. JSON keeps its
 * meaning, since the escapes are those of JSON.
 */
export function printable(text: string, hasColors: boolean): string {
  return text.replace(CONTROLS_OR_COLORS, (found) => {
    const isColor = hasColors && found.startsWith("\u001b[");
    return isColor || found === "\n" ? found : found.replace(CONTROLS, escaped);
  });
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
