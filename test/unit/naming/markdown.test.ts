import { expect, test } from "vitest";
import { markdownCode, markdownName, markdownText } from "../../../src/naming/markdown.js";

test.each([
  { given: "plain words, and a: colon", want: "plain words, and a: colon" },
  { given: "a | b", want: "a &#124; b" },
  { given: "<img src=x onerror=alert(1)>", want: "&lt;img src=x onerror=alert(1)&gt;" },
  { given: "line\nbreak\u2028\r\n## head", want: "line break &#35;&#35; head" },
  { given: "```\n[x](y)", want: "&#96;&#96;&#96; &#91;x&#93;(y)" },
  { given: "&lt;", want: "&amp;lt;" },
])("$given is text in Markdown", ({ given, want }) => {
  expect(markdownText(given)).toBe(want);
});

test("code in a table cell is ended by nothing in it", () => {
  expect(markdownCode("a</code>|b")).toBe("<code>a&lt;/code&gt;&#124;b</code>");
});

test.each([
  { given: "deliveryAddress.state", want: "`deliveryAddress.state`" },
  { given: "/api/v1/users/{userId}/files", want: "`/api/v1/users/{userId}/files`" },
  { given: "a`|b", want: "<code>a&#96;&#124;b</code>" },
])("$given is a name in Markdown", ({ given, want }) => {
  expect(markdownName(given)).toBe(want);
});
