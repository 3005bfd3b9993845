import type { Client } from "./client.js";
import { resultsOf } from "./errors.js";

/** How many there are, also of what its service does not count. */
export async function countIn(service: Client, path: string): Promise<number> {
  const { itemCount } = await service.read(path);
  if (typeof itemCount === "number") return itemCount;
  let found = 0;
  for (let pageNumber = 1; ; pageNumber += 1) {
    const { length } = resultsOf(await service.read(`${path}?pageNumber=${pageNumber}`));
    if (length === 0) return found;
    found += length;
  }
}
