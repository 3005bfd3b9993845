import { posix } from "node:path";
import { textOf } from "./source-tree.js";

export const REQUEST_PAGE = "src/runtime/docs/request-lifecycle.md";

/** A row of the page: a file of the runtime, and the function in it where reading starts. */
export interface RequestStep {
  readonly file: string;
  readonly first: string;
}

/** The steps that the page lists, in their order. */
export function requestSteps(page: string): readonly RequestStep[] {
  return [...page.matchAll(/^\| \d+ \| `([^`]+)` \| `([^`]+)` \|/gm)].map(
    ([, file = "", first = ""]) => ({ file, first }),
  );
}

/** Draws the picture of the page again; everything else is kept. */
export function withPicture(page: string): string {
  const text = page.replace(/\n```mermaid\n[^]*?```\n/, "");
  return `${text}\n\`\`\`mermaid\n${picture(requestSteps(page)).join("\n")}\n\`\`\`\n`;
}

/** A box for each room, a node for each step, and an arrow for each import between them. */
function picture(steps: readonly RequestStep[]): readonly string[] {
  const nodes = new Map(steps.map(({ file }, index) => [file, `step${index + 1}`]));
  const rooms = new Set(steps.map(({ file }) => posix.dirname(file)));
  const boxes = [...rooms].flatMap((room, index) => {
    const inside = steps.filter(({ file }) => posix.dirname(file) === room);
    const lines = inside.map(({ file, first }) => {
      const node = nodes.get(file) ?? "";
      return `    ${node}["${node.slice("step".length)}. ${posix.basename(file)}<br/>${first}"]`;
    });
    return [`  subgraph room${index + 1}["${room}"]`, ...lines, "  end"];
  });
  const arrows = [...nodes].flatMap(([file, from]) =>
    importsOf(file).flatMap((imported) => {
      const to = nodes.get(imported);
      return to === undefined ? [] : [`  ${from} --> ${to}`];
    }),
  );
  return ["flowchart TD", ...boxes, ...arrows];
}

/** The files of the runtime of which a file imports more than types. */
function importsOf(file: string): readonly string[] {
  const imports = textOf(`src/runtime/${file}`)
    .replace(/^import type [^;]+;$/gm, "")
    .matchAll(/^(?:import|\}) .*?from "(\.[^"]+)\.js";$/gm);
  return [...imports].map(([, path = ""]) => `${posix.join(posix.dirname(file), path)}.ts`);
}
