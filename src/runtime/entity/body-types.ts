declare const identifiedBy: unique symbol;

/** What the type of a reference extends: of its members, the one called `Name` is the other's identifier (REP-4). */
export interface ReferenceTo<Name extends string> {
  readonly [identifiedBy]?: Name;
}

/**
 * The type of a body, or of what own code gives, made from the type `Shown` of an answer. A reference is given by its identifier, and a
 * property that can be null may be left out. `Optional` are the paths of other properties that may be left out: those with a default,
 * and lists that may be empty.
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

/** The name of a reference's identifier; never: `Shown` is none. */
export type IdentifierOf<Shown> = typeof identifiedBy extends keyof Shown
  ? Shown extends ReferenceTo<infer Name>
    ? Extract<Name, keyof Shown>
    : never
  : never;

/** What stands below a key, with the path from there. */
type Below<Key, Optional> = Optional extends `${Key & string}.${infer Path}` ? Path : never;

/** The body of a PUT: every property of `Body` is required, except those in `Kept`, which keep their value when left out (OPS-4). */
export type ReplacementOf<Body, Kept extends keyof Body = never> = Required<Omit<Body, Kept>> &
  Partial<Pick<Body, Kept>>;

/** A `Body` of which any part may be there, also inside of objects, but not of the items of lists (OPS-5, RFC 7396). */
export type PartOf<Body> = { readonly [Key in keyof Body]?: PartOfValue<Body[Key]> };

type PartOfValue<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? typeof identifiedBy extends keyof Value
      ? Value
      : PartOf<Value>
    : Value;

/** A page of what a list shows (COL-1). */
export interface PageOf<Shown> {
  results: Shown[];
  /** Left out of a page that follows a token (QRY-9). */
  pageNumber?: number;
  pageSize: number;
  /** The token of the page that follows, where the envelope says it; null: none does. */
  next?: string | null;
}

/** A page that counts what is on all of them (COL-2). */
export interface CountedPageOf<Shown> extends PageOf<Shown> {
  itemCount: number;
  pageCount?: number;
}
