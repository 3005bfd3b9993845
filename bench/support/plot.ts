/** A line of a plot. */
export interface Series {
  readonly name: string;
  /** A dashed line has the colour of the line before it. */
  readonly isDashed?: boolean;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** A plot whose axes are both logarithmic. */
export interface Plot {
  readonly title: string;
  readonly x: { readonly label: string; readonly ticks: readonly number[] };
  /** Powers of ten between the smallest and the largest value are its ticks. */
  readonly y: { readonly label: string };
  readonly series: readonly Series[];
}

const WIDTH = 780;
const AREA = { left: 85, top: 50, right: 725, bottom: 350 };
const LEGEND = { top: AREA.bottom + 72, lineHeight: 22 };
/** Colours that people with colour blindness can tell apart (Okabe and Ito). */
const COLOURS = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#7a5195",
  "#56b4e9",
  "#8a6d00",
  "#444444",
];

/** Draws a plot as an SVG with a light background of its own, so that dark pages show it as well. */
export function svgOf({ title, x, y, series }: Plot): string {
  const all = series.flatMap(({ points }) => points.map((point) => point.y));
  const yTicks = powersOfTen(Math.min(...all), Math.max(...all));
  const across = scale(x.ticks, AREA.left, AREA.right);
  const up = scale(yTicks, AREA.bottom, AREA.top);
  const height = LEGEND.top + series.length * LEGEND.lineHeight;
  const middle = (AREA.top + AREA.bottom) / 2;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="13" fill="#222" role="img">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" rx="6" fill="#fff" stroke="#bbb"/>`,
    text({ x: AREA.left, y: 28, anchor: "start" }, title, ' font-size="15" font-weight="bold"'),
    ...x.ticks.flatMap((tick) => [
      line([across(tick), AREA.top, across(tick), AREA.bottom], "#ddd"),
      text({ x: across(tick), y: AREA.bottom + 20, anchor: "middle" }, tickText(tick)),
    ]),
    ...yTicks.flatMap((tick) => [
      line([AREA.left, up(tick), AREA.right, up(tick)], "#ddd"),
      text({ x: AREA.left - 8, y: up(tick) + 4, anchor: "end" }, tickText(tick)),
    ]),
    text({ x: (AREA.left + AREA.right) / 2, y: AREA.bottom + 44, anchor: "middle" }, x.label),
    text({ x: 20, y: middle, anchor: "middle" }, y.label, ` transform="rotate(-90 20 ${middle})"`),
    ...(series.length === 0 ? [text({ x: AREA.right, y: 28, anchor: "end" }, "not measured")] : []),
    ...series.flatMap((one, index) => {
      const solid = series.slice(0, index + 1).filter(({ isDashed }) => isDashed !== true);
      const colour = COLOURS[(solid.length - 1) % COLOURS.length] ?? "";
      return drawn(one, index, { across, up, colour });
    }),
    "</svg>",
  ].join("\n")}\n`;
}

interface Pen {
  readonly across: (value: number) => number;
  readonly up: (value: number) => number;
  readonly colour: string;
}

/** The line with a dot at each point, and its entry in the legend. */
function drawn({ name, isDashed, points }: Series, index: number, of: Pen): string[] {
  const { colour } = of;
  const placed = points.map(({ x, y }) => [of.across(x), of.up(y)] as const);
  const dash = isDashed === true ? ' stroke-dasharray="6 4"' : "";
  const legend = LEGEND.top + index * LEGEND.lineHeight;
  return [
    `<polyline fill="none" stroke="${colour}" stroke-width="2"${dash} points="${placed.map((point) => point.join(",")).join(" ")}"/>`,
    ...placed.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.5" fill="${colour}"/>`),
    line([AREA.left, legend, AREA.left + 30, legend], colour, `${dash} stroke-width="2"`),
    text({ x: AREA.left + 38, y: legend + 4, anchor: "start" }, name),
  ];
}

/** Maps the first tick to `start` and the last one to `end`, in logarithms. */
function scale(ticks: readonly number[], start: number, end: number): (value: number) => number {
  const first = Math.log(ticks[0] ?? 1);
  const last = Math.log(ticks.at(-1) ?? 10);
  return (value) =>
    Math.round((start + ((Math.log(value) - first) / (last - first)) * (end - start)) * 10) / 10;
}

function powersOfTen(least: number, most: number): readonly number[] {
  if (least > most) return [1, 10];
  const from = Math.floor(Math.log10(least));
  const to = Math.max(from + 1, Math.ceil(Math.log10(most)));
  return Array.from({ length: to - from + 1 }, (_, index) => Number(`1e${from + index}`));
}

function tickText(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 4 });
}

function line(ends: readonly number[], colour: string, more = ""): string {
  const [x1, y1, x2, y2] = ends;
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}"${more}/>`;
}

function text(
  at: { readonly x: number; readonly y: number; readonly anchor: "start" | "middle" | "end" },
  content: string,
  more = "",
): string {
  return `<text x="${at.x}" y="${at.y}" text-anchor="${at.anchor}"${more}>${content}</text>`;
}
