import { expect, test } from "vitest";
import { checkProject } from "./check-project.js";

const TASKS = `resource: tasks
entity: task
properties:
  due: { type: string, format: date }
  done: timestamp
  freeDays: { type: array, items: { type: string, format: date } }
`;

async function codesOf(where: string, timeZone = "Europe/Berlin"): Promise<readonly string[]> {
  const { diagnostics } = await checkProject({
    "service.yaml": `service: tasks\ntimeZone: "${timeZone}"\nversions: { v1: draft }\n`,
    "resources/v1/tasks.yaml": `${TASKS}aliases: { some: { where: ${where} } }\n`,
  });
  return diagnostics.map(({ code }) => code);
}

test.each([
  ["{ due: today }", []],
  ["{ due: [today, null], freeDays: { not: today } }", []],
  ["{ due: { moreThan: today, withinNext: 30d }, done: { atMost: today, within: 36h } }", []],
  ["{ due: { within: 24h } }", ["SCH-436"]],
  ["{ due: { within: 1w } }", ["SCH-436"]],
  ["{ due: { within: tomorrow } }", ["SCH-92"]],
  ["{ due: { within: 4000d } }", ["SCH-92"]],
  ["{ freeDays: { within: 1d } }", ["SCH-91"]],
  ["{ done: [today, null] }", ["SCH-437"]],
  ["{ done: { not: today } }", ["SCH-437"]],
  ["{ createdDate: today }", ["SCH-437"]],
])("the conditions %s have the mistakes %j", async (where, codes) => {
  expect(await codesOf(where)).toEqual(codes);
});

test.each([
  ["UTC", []],
  ["Asia/Calcutta", []],
  ["America/Argentina/Buenos_Aires", []],
  ["+01:00", ["SCH-438"]],
  ["Europe/Berlim", ["SCH-438"]],
  ["local", ["SCH-438"]],
])("the time zone %s has the mistakes %j", async (timeZone, codes) => {
  expect(await codesOf("{ due: today }", timeZone)).toEqual(codes);
});
