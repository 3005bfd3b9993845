/** One of a closed list of strings (NAM-4). */
export interface EnumType {
  readonly kind: "enum";
  /** `TicketStatus` */
  readonly typeName: string;
  readonly values: readonly string[];
}

/** How it is written: by its values alone. */
export interface EnumYaml {
  readonly enum?: readonly string[];
  /** What an older version shows instead of a value that it does not know (VER-2). */
  readonly inOlderVersions?: Readonly<Record<string, string>>;
}
