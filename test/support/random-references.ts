type Yaml = Readonly<Record<string, unknown>>;

/** How a reference that was made up stands to the resource that it leads to. */
interface Referring {
  readonly reference: string;
  readonly embed: readonly string[];
  /** What it embeds is meant for everybody. */
  readonly discloses: boolean;
}

/** What was made up of it. */
interface Made {
  readonly yaml: Yaml;
  readonly isRequired: boolean;
  readonly letsGo: boolean;
}

/** A reference in each place where one can stand, by the kind of the relation. */
export function referringKeywords(
  { yaml, isRequired, letsGo }: Made,
  { reference, embed, discloses }: Referring,
) {
  const disclosed = discloses && { disclose: true };
  const shown = { reference, ...(embed.length > 0 && { embed, ...disclosed }) };
  const inner = { type: "object", properties: { inner: { ...shown, required: isRequired } } };
  const ending = isRequired ? { required: true } : letsGo && { onDelete: "setNull" };
  return {
    one: { ...yaml, ...shown, ...ending, listedUnder: letsGo },
    many: { type: "array", items: shown },
    inside: inner,
    items: { type: "array", maxItems: 3, items: inner },
    written: { ...shown, readOnly: true, ...(letsGo && { onDelete: "setNull" }) },
    external: { reference: "others", external: true, entity: "other", embed: ["label"] },
  };
}
