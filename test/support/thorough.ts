/** How much of a law is tried: some in `npm test`, all in `npm run test:long`, where minutes do not matter. */
export function cases<T>({ usual, long }: { readonly usual: T; readonly long: T }): T {
  return process.env["TEST_LONG"] === "true" ? long : usual;
}
