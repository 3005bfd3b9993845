import { spawnSync } from "node:child_process";

/** What a whole process cost. */
export interface Cost {
  /** User and system time from start to end. */
  readonly cpuSeconds: number;
}

// The shell asks the kernel for the times of its children, in milliseconds; nothing is added to the child.
const TIMED = '"$@" >/dev/null; status=$?; times; exit $status';
const REPORT_PEAK =
  'import { writeSync } from "node:fs";' +
  'process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));';

/** Runs node, this one or another, with these arguments to its end. Throws when it fails. */
export function measuredRun(parameters: readonly string[], node = process.execPath): Cost {
  const command = ["-c", TIMED, "bash", node, ...parameters];
  const { status, stdout, stderr } = spawnSync("bash", command, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${parameters.join(" ")} failed:\n${stderr}`);
  const [user, system] = [...stdout.matchAll(/(\d+)m([\d.]+)s/g)]
    .slice(2)
    .map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds));
  return { cpuSeconds: (user ?? 0) + (system ?? 0) };
}

/** The most memory that a run ever held, in MiB. Throws when it fails. */
export function peakMemory(parameters: readonly string[]): number {
  const preload = `--import=data:text/javascript,${encodeURIComponent(REPORT_PEAK)}`;
  const { status, output } = spawnSync(process.execPath, [preload, ...parameters], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  if (status !== 0) throw new Error(`node ${parameters.join(" ")} failed:\n${output[2] ?? ""}`);
  return Number(output[3]) / 1024;
}
