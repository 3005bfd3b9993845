// dist/compiled/validators.js, which bin/compile-validators.js writes.
declare module "#compiled/validators" {
  export const service: unknown;
  export const resource: unknown;
}
