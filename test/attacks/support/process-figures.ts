import { readFileSync, writeFileSync } from "node:fs";

// Read from /proc: the attacks are run on Linux, where services run.

const KIBIBYTES_OF_MEBIBYTE = 1024;
/** Of what /proc counts CPU time in, on every Linux that Node runs on. */
const TICK_MILLISECONDS = 10;

/** Memory that a process has in use, in MiB. */
export function residentMebibytes(pid: number): number {
  return kibibytesOf(pid, "VmRSS") / KIBIBYTES_OF_MEBIBYTE;
}

/** The most that it had since `forgetPeak`. */
export function peakMebibytes(pid: number): number {
  return kibibytesOf(pid, "VmHWM") / KIBIBYTES_OF_MEBIBYTE;
}

/** Starts the peak anew. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** CPU time that a process has used since its start, user and system. */
export function cpuMilliseconds(pid: number): number {
  // The program's name, in brackets, may hold blanks; the times are the 12th and 13th field behind it.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MILLISECONDS;
}

function kibibytesOf(pid: number, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(
    readFileSync(`/proc/${pid}/status`, "utf8"),
  );
  if (found === null) throw new Error(`the process ${pid} has ended`);
  return Number(found[1]);
}
