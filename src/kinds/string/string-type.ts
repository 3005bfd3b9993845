/** Text; lengths count code points. */
export interface StringType {
  readonly kind: "string";
  readonly minLength: number;
  readonly maxLength: number;
  /** Source of a linear-time regular expression (flag `u`), or null. */
  readonly pattern: string | null;
  readonly format: StringFormat | null;
}

/** A form that a text has to keep. */
export type StringFormat =
  | "email"
  | "uri"
  | "hostname"
  | "ipv4"
  | "ipv6"
  | "date"
  | "currencyCode"
  | "countryCode"
  | "languageTag"
  | "time"
  | "duration";

/** The keywords of a text. */
export interface StringYaml {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: StringFormat;
}
