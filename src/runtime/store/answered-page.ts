import type { Page } from "../query/page.js";
import type { ListQuery } from "../query/query.js";
import { ResultTooLarge } from "./database.js";
import type { KeyedMutex } from "./keyed-mutex.js";

/** No identifier is empty. */
const LARGE_PAGES = "";

/** What a page of the default size may show of other entities, in bounds of a larger page. */
const DEFAULT_PAGE_SHOWS = 4;

/** How much a page may hold; left out: anything. */
export interface PageBounds {
  /** Of its own rows, and of the others that one reference leads to. */
  readonly bytes?: number;
  /** Of others, each time that it shows one. */
  readonly shown?: number;
  /** Of its own rows, as text. */
  readonly text?: number;
}

/** What is known of how much a page may hold. */
interface PageLimits {
  readonly pageBytes: number;
  readonly bodyBytes: number;
}

/** Reads a page. Throws `ResultTooLarge`. */
type ReadPage<T> = (query: ListQuery, bounds: PageBounds) => Promise<Omit<Page<T>, "mostBytes">>;

/**
 * Reads a page, which is refused for what it holds only where it is larger than the default one (LIM-1): one of the default
 * size is read again then, one at a time, so that many of them do not take all memory. Where it shows so much of other entities
 * that even this is too much, it is a smaller page that begins with the same entity, and says so; own code is given all of it.
 * Throws `ResultTooLarge`.
 */
export async function answeredPage<T>(
  query: ListQuery,
  { pageBytes, bodyBytes }: PageLimits,
  mutex: KeyedMutex,
  read: ReadPage<T>,
): Promise<Page<T>> {
  const bounds = { bytes: pageBytes, shown: pageBytes };
  const { pageSize, defaultSize, isOfCustomCode = false } = query;
  if (pageSize > defaultSize) return { ...(await read(query, bounds)), mostBytes: pageBytes };
  const shown = DEFAULT_PAGE_SHOWS * pageBytes;
  // What its entities can hold by themselves, whoever made them.
  const own = Math.max(shown, pageSize * bodyBytes);
  const fitting = { bytes: own, text: own, shown };
  const page =
    (await unlessTooLarge(read(query, bounds))) ??
    (await mutex.runExclusive(LARGE_PAGES, () =>
      isOfCustomCode ? read(query, {}) : fittingPage(query, fitting, read),
    ));
  return { ...page, mostBytes: Infinity };
}

/** The largest page that begins with the same entity and fits the bounds: one entity always does. */
async function fittingPage<T>(
  query: ListQuery,
  bounds: PageBounds,
  read: ReadPage<T>,
): Promise<Omit<Page<T>, "mostBytes">> {
  const { pageSize, pageNumber } = query;
  for (let pages = 1; pages < pageSize; pages += 1) {
    if (pageSize % pages > 0) continue;
    const part = { pageSize: pageSize / pages, pageNumber: (pageNumber - 1) * pages + 1 };
    const page = await unlessTooLarge(read({ ...query, ...part }, bounds));
    if (page !== null) return page;
  }
  return read({ ...query, pageSize: 1, pageNumber: (pageNumber - 1) * pageSize + 1 }, bounds);
}

/** Null where it is too large. */
export async function unlessTooLarge<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof ResultTooLarge) return null;
    throw error;
  });
}
