import { ApiError } from "../base/errors.js";
import type { RequestContext } from "../http/request-context.js";
import { jsonPage, type Write } from "../http/json-writer.js";
import type { Page } from "../query/page.js";

/** What a page is written for. */
export interface ShownFor {
  readonly context: RequestContext;
  readonly idProperty: string;
  readonly pretty?: boolean;
}

/**
 * A page of entities of which custom code converts something (VER-2). One that cannot be shown costs itself only: the page
 * leaves it out, the log says which and why, and `itemCount` still counts it.
 */
export async function convertedPage<T>(
  page: Page<T>,
  write: Write<T>,
  { context, idProperty, pretty = true }: ShownFor,
): Promise<string> {
  try {
    return await jsonPage(page, write, pretty);
  } catch (error) {
    // A page that is too large is refused as it is.
    if (error instanceof ApiError) throw error;
  }
  const results = page.results.filter((entity) => {
    try {
      write(entity, "");
      return true;
    } catch (error) {
      const id: unknown = Reflect.get(Object(entity), idProperty);
      context.logger.error(
        { err: error, [idProperty]: id },
        "left out of a list: it cannot be shown",
      );
      return false;
    }
  });
  return jsonPage({ ...page, results }, write, pretty);
}
