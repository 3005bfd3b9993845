/** What makes one run differ from the next (G1): only arguments may bring it in. */
const CHANGING = /\b(?:Date\.now|new Date\(\)|Math\.random|randomUUID|performance\.now|hrtime)/;
/** What makes one machine differ from the next (G1): order and case by code unit, times in UTC. */
const LOCAL = /\b(?:localeCompare|toLocale[A-Z]\w*|Intl\.|get(?:FullYear|Month|Date|Day|Hours)\()/;
/** In brackets, so that this line does not find itself. */
// Three of the letter alone are a currency (ISO 4217: none).
const UNFINISHED = /\b(?:TO[D]O|FIX[M]E)\b|\bXX[X]:/;

/** Work that was left for later: it is done, or it is an issue. */
export function unfinishedFindings(path: string, text: string): string[] {
  return linesThat(text, UNFINISHED).map((line) => `${path}:${line}: unfinished`);
}

/** Clocks, chance and locales in the generator. */
export function determinismFindings(path: string, text: string): string[] {
  return [...linesThat(text, CHANGING), ...linesThat(text, LOCAL)].map(
    (line) => `${path}:${line}: differs from run to run, or from machine to machine`,
  );
}

function linesThat(text: string, pattern: RegExp): number[] {
  return text.split("\n").flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}
