import { expect, test } from "vitest";
import { withJsonText } from "../../../src/load/edit-json.js";

test.each([
  {
    name: "a value is replaced where it stands",
    given: '{\n\t"a": { "x":  "1" , "y": "2" }\n}',
    want: '{\n\t"a": { "x":  "9" , "y": "2" }\n}',
  },
  {
    name: "a new entry stands below the last one, with its margin",
    given: '{\r\n  "a": {\r\n      "y": "2"\r\n  }\r\n}\r\n',
    want: '{\r\n  "a": {\r\n      "y": "2",\r\n      "x": "9"\r\n  }\r\n}\r\n',
  },
  {
    name: "an empty section is opened",
    given: '{\n  "a": {},\n  "b": 1\n}\n',
    want: '{\n  "a": {\n    "x": "9"\n  },\n  "b": 1\n}\n',
  },
  {
    name: "a section that is missing is the last one",
    given: '{\n  "b": [1, 2]\n}\n',
    want: '{\n  "b": [1, 2],\n  "a": {\n    "x": "9"\n  }\n}\n',
  },
  { name: "a section that is a text is left alone", given: '{ "a": "x" }', want: null },
  { name: "a value that is no text is left alone", given: '{ "a": { "x": [1] } }', want: null },
  { name: "a list is not a package", given: "[]", want: null },
])("$name", ({ given, want }) => {
  expect(withJsonText(given, "a", { key: "x", value: "9" })).toBe(want);
});
