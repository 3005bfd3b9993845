/** G9: the limits of a schema file. Bytes are those of UTF-8. */
export const LIMITS = {
  fileBytes: 256 * 1024,
  depth: 32,
  keysPerMapping: 2000,
  textBytes: 4 * 1024,
} as const;
