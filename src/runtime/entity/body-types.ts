declare const identifiedBy: unique symbol;

/** The base type of references. `Name` is the member that contains the identifier of the other entity (REP-4). */
export interface ReferenceTo<Name extends string> {
  readonly [identifiedBy]?: Name;
}

/**
 * The type of a body, or of input from custom code, made from the type `Shown` of a response. A reference needs only its
 * identifier, and nullable properties may be omitted. `Optional` are the paths of other properties that may be omitted: those
 * with a default, and lists that may be empty.
 */
export type InputOf<Shown, Optional extends string = never> = {
  readonly [Key in keyof Shown as Key extends LeftOut<Shown, Optional> ? never : Key]: ValueOf<
    Shown[Key],
    Below<Key, Optional>
  >;
} & {
  readonly [Key in keyof Shown as Key extends LeftOut<Shown, Optional> ? Key : never]?: ValueOf<
    Shown[Key],
    Below<Key, Optional>
  >;
};

type ValueOf<Shown, Optional extends string> = Shown extends readonly (infer Item)[]
  ? readonly ValueOf<Item, Optional>[]
  : Shown extends ReferenceTo<infer Name> & object
    ? typeof identifiedBy extends keyof Shown
      ? Readonly<Pick<Shown, Extract<Name, keyof Shown>>> & ReferenceTo<Name & string>
      : InputOf<Shown, Optional>
    : Shown;

type LeftOut<Shown, Optional> = {
  [Key in keyof Shown]: null extends Shown[Key] ? Key : Extract<Key, Optional>;
}[keyof Shown];

/** The name of the identifier in a reference. Never, if `Shown` is not a reference. */
export type IdentifierOf<Shown> = typeof identifiedBy extends keyof Shown
  ? Shown extends ReferenceTo<infer Name>
    ? Extract<Name, keyof Shown>
    : never
  : never;

/** The path below a key. */
type Below<Key, Optional> = Optional extends `${Key & string}.${infer Path}` ? Path : never;

/** The body of a PUT: every property of `Body` is required, except those in `Kept`, which keep their value if omitted (OPS-4). */
export type ReplacementOf<Body, Kept extends keyof Body = never> = Required<Omit<Body, Kept>> &
  Partial<Pick<Body, Kept>>;

/** The body of a PATCH: every property may be omitted, also in objects, but not in the items of lists (OPS-5, RFC 7396). */
export type PartOf<Body> = { readonly [Key in keyof Body]?: PartOfValue<Body[Key]> };

type PartOfValue<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? typeof identifiedBy extends keyof Value
      ? Value
      : PartOf<Value>
    : Value;

/** A page of a list (COL-1). */
export interface PageOf<Shown> {
  results: Shown[];
  /** Absent in a page that follows a token (QRY-9). */
  pageNumber?: number;
  pageSize: number;
  /** The token of the next page, if the envelope contains it. Null means the last page. */
  next?: string | null;
}

/** A page with the totals of all pages (COL-2). */
export interface CountedPageOf<Shown> extends PageOf<Shown> {
  itemCount: number;
  pageCount?: number;
}
