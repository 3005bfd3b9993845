/** How many cases of a law are tried: some in `npm test`, all in `npm run test:long`, where minutes do not matter. */
export function cases({ usual, long }: { readonly usual: number; readonly long: number }): number {
  return process.env["TEST_LONG"] === "true" ? long : usual;
}
