import { median } from "./median.js";
import type { Figure } from "./report.js";

/**
 * The middle of several measurements of the same figures, each with new processes: of two processes of one program, one
 * can be some per cent faster for as long as both live.
 */
export async function repeated(
  times: number,
  measure: () => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const measurements: (readonly Figure[])[] = [];
  for (let time = 0; time < times; time += 1) measurements.push(await measure());
  const [first = []] = measurements;
  return first.map((figure, index) => {
    const same = measurements.flatMap((figures) => figures[index] ?? []);
    const ratios = same.flatMap(({ ratio }) => ratio ?? []);
    const value = median(same.map((one) => one.value));
    return { ...figure, value, ratio: figure.ratio === null ? null : median(ratios) };
  });
}
