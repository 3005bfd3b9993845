/** A UUID. */
export interface UuidType {
  readonly kind: "uuid";
}
