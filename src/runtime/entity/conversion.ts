/** How an older version shows what is stored, and what is stored of what it sends (VER-2). */
export interface VersionConversion<Stored, Shown> {
  readonly toShown: (stored: Stored) => Shown;
  /** `stored` is what is there already: null where nothing is. */
  readonly toStored: (sent: Shown, stored: Stored | null) => Stored;
}

/** What is stored of a value that is sent. What is the very value that was shown has not been sent: what is stored stays. */
export function storedOf<Stored, Shown>(
  { toStored }: VersionConversion<Stored, Shown>,
  sent: Shown,
  shown: Shown | undefined,
  stored: Stored | undefined,
): Stored {
  return stored !== undefined && sent === shown ? stored : toStored(sent, stored ?? null);
}
