import { posix } from "node:path";
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { load } from "../../../src/load/load.js";
import { validate } from "../../../src/validate/validate.js";

/** What came of a project: its warnings when it was accepted, every mistake when not. */
export interface Checked {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads and validates a project given as file texts by path. */
export async function checkProject(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Checked> {
  const paths = Object.entries(files).map(
    ([path, text]) => [posix.join("/project", path), text] as const,
  );
  const loaded = load(new MemoryFiles(Object.fromEntries(paths)), "/project");
  return loaded.ok ? validate(loaded.value) : loaded;
}

/** The same for one resource `tickets` with these lines under `properties`. */
export async function checkProperties(
  properties: string,
  service = "service: helpdesk\n",
): Promise<Checked> {
  const text = `resource: tickets\nentity: ticket\nproperties:\n${indented(properties)}`;
  return checkProject({ "service.yaml": service, "resources/v1/tickets.yaml": text });
}

/** `4:12 NAM-4` for each diagnostic: what a table of expectations compares. */
export function codes({ diagnostics }: Checked): string[] {
  return diagnostics.map(({ code, span }) => `${span.line}:${span.column} ${code}`);
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}\n`)
    .join("");
}
