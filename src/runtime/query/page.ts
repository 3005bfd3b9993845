/** One page of a collection; `itemCount` is null where the resource does not count (COL-2). */
export interface Page<T> {
  readonly results: readonly T[];
  readonly itemCount: number | null;
  readonly pageNumber: number;
  readonly pageSize: number;
  /** Of its text, where it has more than one item; infinite for a page of the default size (LIM-1). */
  readonly mostBytes: number;
}
