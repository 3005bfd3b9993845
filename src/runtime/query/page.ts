/** A value that a list is ordered by, as the store reads and binds it. */
export type KeyValue = string | number | null;

/** Where an entity stands in the order of a list: what it is sorted by, and its identifier. */
export type PageKeys = readonly KeyValue[];

/** One page of a collection; `itemCount` is null where the resource does not count (COL-2). */
export interface Page<T> {
  readonly results: readonly T[];
  readonly itemCount: number | null;
  /** Null for a page that follows a token (QRY-9). */
  readonly pageNumber: number | null;
  readonly pageSize: number;
  /** Of its text, where it has more than one item; infinite for a page of the default size (LIM-1). */
  readonly mostBytes: number;
  /** Of its last entity; null where no other one follows. */
  readonly last: PageKeys | null;
  /** The token of the page that follows, null where none does (QRY-9); left out: the envelope does not say it. */
  readonly next?: string | null;
}
