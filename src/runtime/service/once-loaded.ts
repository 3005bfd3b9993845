/**
 * Loads something when it is first asked for: those who ask meanwhile share one loading, and one that fails is tried anew.
 * What has been loaded is there at once, so that answers with it are measured as such (LIM-2).
 */
export function onceLoaded<Loaded extends object>(
  load: () => Promise<Loaded>,
): () => Loaded | Promise<Loaded> {
  let loaded: Loaded | null = null;
  let loading: Promise<Loaded> | null = null;
  const begin = async (): Promise<Loaded> => {
    try {
      loaded = await load();
      return loaded;
    } finally {
      loading = null;
    }
  };
  return () => loaded ?? (loading ??= begin());
}
