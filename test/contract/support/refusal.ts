import { expect } from "vitest";
import { format } from "../../../src/diagnostics/format.js";
import { checkProject } from "../../unit/validate/check-project.js";

/** A project's files by path, or the lines under `properties` of one resource `tickets`. */
export type Project = Readonly<Record<string, string>> | string;

/** What a refusal must say. */
export interface Refusal {
  /** `resources/v1/tickets.yaml:4:3` */
  readonly place: string;
  readonly code: string;
  /** The offending part, which must be shown and marked. */
  readonly marked: string;
  /** The conforming spelling, without its quotes. */
  readonly suggestion: string;
}

/** Everything that the generator prints about a project; "" when it has nothing to say. */
export async function printed(project: Project): Promise<string> {
  const files = typeof project === "string" ? ticketsWith(project) : project;
  const { diagnostics } = await checkProject({ "service.yaml": "service: helpdesk\n", ...files });
  return format(diagnostics);
}

/** Expects that a project is refused with this, among whatever else is wrong with it. */
export async function expectRefusal(project: Project, wanted: Refusal): Promise<void> {
  const { place, code, marked, suggestion } = wanted;
  const text = await printed(project);
  const refusal = text.split(/\n\n/).find((part) => part.startsWith(`${place}  error  ${code}\n`));
  expect(refusal, text).toBeDefined();
  const [, line = "", marks = "", message = ""] = (refusal ?? "").split("\n");
  const column = Number(place.split(":")[2]);
  const gutter = line.indexOf("|") + 2;
  expect(line.slice(gutter + column - 1)).toMatch(marked);
  expect(marks.slice(gutter)).toBe(" ".repeat(column - 1) + "^".repeat(marked.length));
  expect(message).toContain(`"${suggestion}"`);
  expect(message).toContain(`generator explain ${code}`);
}

/** One resource with a conforming name, and these lines under its properties. */
function ticketsWith(properties: string): Readonly<Record<string, string>> {
  const lines = properties.split("\n").map((line) => `  ${line}\n`);
  const text = `resource: tickets\nentity: ticket\nproperties:\n${lines.join("")}`;
  return { "resources/v1/tickets.yaml": text };
}
