/** What a program of this folder is told while it works. */
export interface Told {
  readonly isStopped: () => boolean;
  /** Calls back with each word but `stop`. */
  readonly onWord: (listen: (word: string) => void) => void;
}

/** Runs the work of a program of this folder: with what its parent sends first, and until that says stop. */
export function serve<Spec, Result>(work: (spec: Spec, told: Told) => Promise<Result>): void {
  let isStopped = false;
  let isBusy = false;
  let listen: (word: string) => void = () => undefined;
  process.on("message", (message) => {
    if (message === "stop") isStopped = true;
    else if (typeof message === "string") listen(message);
    else if (!isBusy) {
      isBusy = true;
      // The first message is what `startLoad` was given.
      void work(message as Spec, {
        isStopped: () => isStopped,
        onWord: (listener) => (listen = listener),
      }).then((result) => process.send?.(result));
    }
  });
  process.on("disconnect", () => process.exit());
}
