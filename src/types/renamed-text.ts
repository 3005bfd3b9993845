/** A text that replaces a part of another one. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A value in a template, an index, or a name. */
const STEP = /\$\{[^{}]*\}|\[[^\]]*\]|[A-Za-z_]\w*|\d+/g;

/**
 * The edits by which a text that is a path of properties has their new names: `rows[0].remark` of `lines[0].note`. The longest
 * part that is known counts: of `customer.name`, which shows another entity's, the reference. `at` is where the text begins.
 */
export function renamedInText(
  text: string,
  at: number,
  paths: ReadonlyMap<string, string>,
): readonly Edit[] {
  const steps = [...text.matchAll(STEP)].filter(([step]) => /^[A-Za-z_]/.test(step));
  const names = steps.map(([step]) => step);
  for (let length = names.length; length > 0; length -= 1) {
    const now = paths.get(names.slice(0, length).join("."))?.split(".");
    if (now === undefined) continue;
    return steps.slice(0, length).flatMap(({ 0: step, index }, place) => {
      const to = now[place] ?? step;
      const start = at + index;
      return to === step ? [] : [{ start, end: start + step.length, text: to }];
    });
  }
  return [];
}
