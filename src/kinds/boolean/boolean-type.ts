/** True or false. */
export interface BooleanType {
  readonly kind: "boolean";
}
