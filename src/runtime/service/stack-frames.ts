/** The folder of the runtime, as stacks name it; undefined in a bundle whose stacks name no sources. */
const RUNTIME = /\(?(?:file:\/\/)?([^()\s]+[\\/])service[\\/]stack-frames\.[jt]s:/.exec(
  new Error().stack ?? "",
)?.[1];

/** Whether a line of a stack is of the runtime, wherever that is installed. */
export function isOfRuntime(line: string): boolean {
  return RUNTIME !== undefined && line.includes(RUNTIME);
}

/** Whether a line of a stack is of generated code, or of the runtime. */
export function isOurs(line: string): boolean {
  return isOfRuntime(line) || /[\\/](?:src|dist)[\\/]generated[\\/]/.test(line);
}
