import fc from "fast-check";
import { expect, test } from "vitest";
import type { ListQuery } from "#runtime/query/query";
import { pageWithinBudget, type PageBounds } from "#runtime/store/pages";
import { ResultTooLarge } from "#runtime/store/database";
import { KeyedMutex } from "#runtime/store/locks";

const PAGE_BYTES = 1000;
const LIMITS = { pageBytes: PAGE_BYTES, bodyBytes: 100_000 };
const mutex = new KeyedMutex();

/** Entities that each show so many bytes of others, of which a page is read. */
function reader(sizes: readonly number[]) {
  return async ({ pageSize, pageNumber }: ListQuery, { shown = Infinity }: PageBounds) => {
    const first = (pageNumber - 1) * pageSize;
    const results = sizes.map((size, index) => ({ size, index })).slice(first, first + pageSize);
    const bytes = results.reduce((sum, { size }) => sum + size, 0);
    if (results.length > 1 && bytes > shown) throw new ResultTooLarge(shown);
    return { results, itemCount: sizes.length, pageNumber, pageSize, last: null };
  };
}

function queryOf(pageSize: number, pageNumber: number, defaultSize: number): ListQuery {
  return { filters: [], sort: [], counted: true, pageSize, pageNumber, defaultSize };
}

test("who goes on with the page and size that an answer names sees every entity once, in bounds", async () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 6000 }), { minLength: 1, maxLength: 60 });
  const size = fc.integer({ min: 1, max: 24 });
  await fc.assert(
    fc.asyncProperty(sizes, size, async (all, defaultSize) => {
      const seen: number[] = [];
      let [pageSize, pageNumber] = [defaultSize, 1];
      while (seen.length < all.length) {
        const query = queryOf(pageSize, pageNumber, defaultSize);
        const page = await pageWithinBudget(query, LIMITS, mutex, reader(all));
        expect(page.results.length).toBeGreaterThan(0);
        const bytes = page.results.reduce((sum, one) => sum + one.size, 0);
        if (page.results.length > 1) expect(bytes).toBeLessThanOrEqual(4 * PAGE_BYTES);
        seen.push(...page.results.map(({ index }) => index));
        [pageSize, pageNumber] = [page.pageSize, Number(page.pageNumber) + 1];
      }
      expect(seen).toEqual(all.map((_, index) => index));
    }),
  );
});

test("a page of the default size begins where it was asked to, however small it becomes", async () => {
  const all = Array.from({ length: 60 }, () => 900);
  const page = await pageWithinBudget(queryOf(20, 2, 20), LIMITS, mutex, reader(all));
  expect(page).toMatchObject({ pageNumber: 6, pageSize: 4, itemCount: 60 });
  expect(page.results.map(({ index }) => index)).toEqual([20, 21, 22, 23]);
});

test("a larger page is refused instead", async () => {
  const all = Array.from({ length: 60 }, () => 900);
  const page = pageWithinBudget(queryOf(40, 1, 20), LIMITS, mutex, reader(all));
  await expect(page).rejects.toThrow(ResultTooLarge);
});
