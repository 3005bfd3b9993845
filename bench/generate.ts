// What generating costs: `npm run bench:generate -- [--quick] [--slow-peers] [--date 2026-01-31]`. See bench/notes.md.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { edited, writeBenchProject } from "./support/bench-project.js";
import { benchOptions } from "./support/bench-options.js";
import { emittedFiles, touched } from "./support/emitted-files.js";
import { measuredRun, peakMemory } from "./support/measured-run.js";
import { median } from "./support/median.js";
import { installedPeers, peerSeconds, type Peer } from "./support/peers.js";
import { report, type Figure } from "./support/report.js";
import { watchedEdits } from "./support/watched-edits.js";

/** A copy, inside the repository so that it finds its packages: a build meanwhile changes nothing. */
const COPY = fileURLToPath(new URL("../test/.services/bench/generator/", import.meta.url));
const GENERATOR = join(COPY, "bin/generator.js");

/** One size of project, and how often it is measured. */
interface Size {
  readonly resources: number;
  readonly rounds: number;
}

const SIZES: readonly Size[] = [
  { resources: 10, rounds: 7 },
  { resources: 100, rounds: 5 },
  { resources: 1000, rounds: 3 },
];
const QUICK: readonly Size[] = SIZES.slice(0, 2).map((size) => ({ ...size, rounds: 3 }));

const WATCHED_EDITS = 7;

const options = benchOptions();
const peers = installedPeers();
copyGenerator();
const folder = mkdtempSync(join(tmpdir(), "bench-generate-"));
try {
  const floor = medianSeconds(9, () => measuredRun(["-e", "0"]).cpuSeconds);
  const figures = [
    figure("node -e 0", floor, 1),
    versionFigure(),
    ...(options.quick ? QUICK : SIZES).flatMap(sizeFigures),
    await watchFigure(10),
    await watchFigure(100),
  ];
  report("generate", figures, options);
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(COPY, { recursive: true, force: true });
}

function copyGenerator(): void {
  const root = fileURLToPath(new URL("../", import.meta.url));
  for (const part of ["package.json", "bin/generator.js", "dist"]) {
    cpSync(join(root, part), join(COPY, part), { recursive: true });
  }
}

function versionFigure(): Figure {
  const ratios: number[] = [];
  const seconds = medianSeconds(9, () => {
    const floor = measuredRun(["-e", "0"]).cpuSeconds;
    const { cpuSeconds } = measuredRun([GENERATOR, "--version"]);
    ratios.push(cpuSeconds / floor);
    return cpuSeconds;
  });
  return figure("--version", seconds, median(ratios));
}

/** What one round measured, in CPU seconds and files. */
interface Round {
  readonly allNew: number;
  readonly floor: number;
  readonly unchanged: number;
  readonly edit: number;
  readonly touchedByNothing: number;
  readonly touchedByEdit: number;
  /** Beside the peers, in their order; null where one was not run. */
  readonly peers: readonly (number | null)[];
}

function sizeFigures({ resources, rounds }: Size): Figure[] {
  const root = join(folder, String(resources));
  const measured = Array.from({ length: rounds }, (_, round) =>
    measuredRound(root, { resources, round }),
  );
  const of = (value: (round: Round) => number): number => median(measured.map(value));
  const most = (value: (round: Round) => number): number => Math.max(...measured.map(value));
  const label = (what: string): string => `${resources} resources: ${what}`;
  return [
    figure(
      label("all files new"),
      of(({ allNew }) => allNew),
      null,
    ),
    ...peers.flatMap((peer, index) => peerFigures(peer, { resources, measured, index })),
    figure(
      label("no change"),
      of(({ unchanged }) => unchanged),
      of(({ unchanged, floor }) => unchanged / floor),
    ),
    count(
      label("files touched by no change"),
      most(({ touchedByNothing }) => touchedByNothing),
      "files",
    ),
    figure(
      label("one edit"),
      of(({ edit }) => edit),
      of(({ edit, unchanged }) => edit / unchanged),
    ),
    count(
      label("files touched by one edit"),
      most(({ touchedByEdit }) => touchedByEdit),
      "files",
    ),
    ...wholeFigures(root, resources),
  ];
}

/** Each round runs the floor as well: what else the machine does at the moment slows both. */
function measuredRound(
  root: string,
  { resources, round }: { readonly resources: number; readonly round: number },
): Round {
  const run = [GENERATOR, "generate", root];
  const [name = ""] = writeBenchProject(root, { resources, isLinked: true });
  const allNew = measuredRun(run).cpuSeconds;
  const document = join(root, "openapi/v1.json");
  const beside = peers.map((peer) =>
    resources < peer.slowFrom || (options.slowPeers && round === 0)
      ? peerSeconds(peer, document, join(folder, "peer"))
      : null,
  );
  const generated = emittedFiles(root);
  const floor = measuredRun(["-e", "0"]).cpuSeconds;
  const unchanged = measuredRun(run).cpuSeconds;
  const still = emittedFiles(root);
  const schema = join(root, "resources/v1", `${name}.yaml`);
  writeFileSync(schema, edited(readFileSync(schema, "utf8"), 4001 + round));
  const edit = measuredRun(run).cpuSeconds;
  return {
    allNew,
    floor,
    unchanged,
    edit,
    touchedByNothing: touched(generated, still),
    touchedByEdit: touched(still, emittedFiles(root)),
    peers: beside,
  };
}

/** What an edit costs while `npm run dev` runs. */
async function watchFigure(resources: number): Promise<Figure> {
  const root = join(folder, "watched");
  const [name = ""] = writeBenchProject(root, { resources, isLinked: true });
  measuredRun([GENERATOR, "generate", root]);
  const schema = join(root, "resources/v1", `${name}.yaml`);
  const seconds = await watchedEdits(GENERATOR, root, { schema, edits: WATCHED_EDITS });
  return figure(`${resources} resources: one edit under --watch`, median(seconds), null);
}

/** What a peer costs, and what ours costs of it; nothing where it was not run. */
function peerFigures(
  { name }: Peer,
  {
    resources,
    measured,
    index,
  }: {
    readonly resources: number;
    readonly measured: readonly Round[];
    readonly index: number;
  },
): Figure[] {
  const turns = measured.flatMap(({ allNew, peers: beside }) => {
    const seconds = beside[index] ?? null;
    return seconds === null ? [] : [{ seconds, ratio: allNew / seconds }];
  });
  if (turns.length === 0) return [];
  return [
    figure(
      `${resources} resources: ${name}`,
      median(turns.map(({ seconds }) => seconds)),
      median(turns.map(({ ratio }) => ratio)),
    ),
  ];
}

/** What a run with all files new holds and leaves. */
function wholeFigures(root: string, resources: number): Figure[] {
  writeBenchProject(root, { resources, isLinked: true });
  const peak = peakMemory([GENERATOR, "generate", root]);
  const files = [...emittedFiles(root).values()];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    count(`${resources} resources: files emitted`, files.length, "files"),
    count(`${resources} resources: text emitted`, bytes / 1024, "KiB"),
    count(`${resources} resources: peak memory`, peak, "MiB"),
  ];
}

function medianSeconds(rounds: number, run: () => number): number {
  return median(Array.from({ length: rounds }, run));
}

function figure(name: string, value: number, ratio: number | null): Figure {
  return { name, value, unit: "CPU s", ratio };
}

function count(name: string, value: number, unit: string): Figure {
  return { name, value, unit, ratio: null };
}
