const TOKEN =
  /(?<space>\s+|--[^\n]*)|(?<name>"(?:[^"]|"")*")|(?<text>'(?:[^']|'')*')|(?<word>\w+)|(?<sign>->>|[(),;.*=?])/y;

/** The tokens of SQL, with what quoted names and texts say left out. Throws for anything else. */
export function sqlTokens(sql: string): string[] {
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < sql.length;) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(sql)?.groups;
    if (groups === undefined)
      throw new Error(`no SQL at ${JSON.stringify(sql.slice(at, at + 40))}`);
    if (groups["name"] !== undefined) tokens.push("name");
    else if (groups["text"] !== undefined) tokens.push("text");
    else if (groups["space"] === undefined) tokens.push(groups["word"] ?? groups["sign"] ?? "");
  }
  return tokens;
}
