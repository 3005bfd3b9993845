/** Escapes text for Markdown: nothing in it can format, link, or end the line or table cell. */
export function markdownText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_{}[\]#!|~$]/g, (character) => `&#${character.charCodeAt(0)};`)
    .trim();
}

/** Text as code in a table cell, with back ticks and bars escaped. */
export function markdownCode(text: string): string {
  return `<code>${markdownText(text)}</code>`;
}

/** The name or the path of something in the service as code: names that pass the rules need no escaping. */
export function markdownName(text: string): string {
  return /^[A-Za-z0-9./{}]+$/.test(text) ? `\`${text}\`` : markdownCode(text);
}
