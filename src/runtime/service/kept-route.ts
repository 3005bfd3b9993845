import type { KeptBody } from "../http/compression.js";
import { collection, okKept, type Handler, type HttpRoute } from "../http/http.js";

/**
 * A route whose body is loaded when it is first asked for, and kept: those who ask meanwhile share one loading, and one
 * that fails is tried anew. What has been loaded is there at once, so that answers with it are measured as such (LIM-2).
 */
export function keptRoute(path: string, load: () => Promise<KeptBody>): HttpRoute {
  let loaded: KeptBody | null = null;
  let loading: Promise<KeptBody> | null = null;
  const begin = async (): Promise<KeptBody> => {
    try {
      loaded = await load();
      return loaded;
    } finally {
      loading = null;
    }
  };
  const GET: Handler = () =>
    loaded === null ? (loading ??= begin()).then(okKept) : okKept(loaded);
  return collection(path, { GET });
}
