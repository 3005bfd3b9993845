/** `lines.price` for `lines[].price`: a path as schemas write it. */
export function schemaPath(path: string): string {
  return path.replaceAll("[]", "");
}

/** `price` for `lines[].price`. */
export function lastStep(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** `lines[].` for `lines[].price`; "" for a column. */
export function before(path: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1);
}

/** Whether a path is another one, or leads into it. */
export function isWithin(path: string, outer: string): boolean {
  if (path === outer) return true;
  return path.startsWith(outer) && /^(?:\.|\[\])/.test(path.slice(outer.length));
}
