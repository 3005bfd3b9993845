import { format } from "prettier";
import { expect, test } from "vitest";
import { ts, word } from "../../../src/naming/code.js";
import { arrayDoc, callDoc, objectDoc, printed, WIDTH, type Doc } from "../../../src/naming/doc.js";

const LONG = word("a".repeat(40));
const PAIR = arrayDoc([ts`under`, ts`this.references`]);
const LONG_PAIR = arrayDoc([LONG, LONG]);
const OBJECT = objectDoc([ts`first: ${LONG}`, ts`second: ${LONG}`]);

test.each<[layout: string, parameters: readonly Doc[]]>([
  ["an array opens on the line of the call", [PAIR, ts`call`, LONG_PAIR]],
  ["so does an object", [PAIR, ts`call`, OBJECT]],
  ["the only argument too", [LONG_PAIR]],
  ["an array beside another one does not", [PAIR, LONG_PAIR]],
  ["an object beside another one does not", [objectDoc([ts`under`]), OBJECT]],
  ["an array after an object does", [objectDoc([ts`under`]), LONG_PAIR]],
  ["an array that is not the last one does not", [LONG_PAIR, ts`call`]],
  ["an empty array cannot", [LONG, LONG, arrayDoc([])]],
  ["nothing opens where the others do not fit", [LONG, LONG, LONG_PAIR]],
])("the last argument of a call as prettier prints it: %s", async (_, parameters) => {
  const text = printed(callDoc(ts`await resolveUnder`, parameters), { after: ";" });
  expect(text).toContain("\n");
  expect(await format(`${text};`, { parser: "typescript", printWidth: WIDTH })).toBe(`${text};\n`);
});
