const MOST_ATTEMPTS = 6;
const FIRST_WAIT_MILLISECONDS = 5;

/** Does its work again as long as it fails for a reason that passes, a bounded number of times, with growing random pauses. */
export async function attempted<T>(
  work: () => Promise<T>,
  mayPass: (error: unknown) => boolean,
  most = MOST_ATTEMPTS,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= most || !mayPass(error)) throw error;
    }
    // Random, so that those who met do not meet again.
    const longest = FIRST_WAIT_MILLISECONDS * 2 ** attempt;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
  }
}
