import { expect, test } from "vitest";
import { withVersionStatus } from "../../../src/load/edit-versions.js";

test.each([
  {
    name: "the status of a version, with its comment kept",
    given: "service: a # one\nversions:\n  v1: draft   # for now\npaging: { defaultSize: 5 }\n",
    version: "v1",
    status: "published",
    want: "service: a # one\nversions:\n  v1: published   # for now\npaging: { defaultSize: 5 }\n",
  },
  {
    name: "in braces",
    given: "versions: { v1: draft, v2: published }\n",
    version: "v1",
    status: "published",
    want: "versions: { v1: published, v2: published }\n",
  },
  {
    name: "in quotes",
    given: 'versions: { "v1": "draft" }\n',
    version: "v1",
    status: "published",
    want: 'versions: { "v1": published }\n',
  },
  {
    name: "in a mapping of its own",
    given: "versions:\n  v1:\n    status: draft # yes\n    # no dates\n",
    version: "v1",
    status: "published",
    want: "versions:\n  v1:\n    status: published # yes\n    # no dates\n",
  },
  {
    name: "no versions yet",
    given: "service: a",
    version: "v1",
    status: "published",
    want: "service: a\nversions:\n  v1: published\n",
  },
  {
    name: "another version, on a line of its own",
    given: "service: a\nversions:\n    v1: published # first\n\njson: { pretty: true }\n",
    version: "v2",
    status: "draft",
    want: "service: a\nversions:\n    v1: published # first\n    v2: draft\n\njson: { pretty: true }\n",
  },
  {
    name: "another version, at the end of the file",
    given: "versions:\n  v1: published",
    version: "v2",
    status: "draft",
    want: "versions:\n  v1: published\n  v2: draft\n",
  },
  {
    name: "another version after one of several lines",
    given:
      "versions:\n  v1:\n    status: deprecated\n    deprecated: 2026-09-01\njson: { pretty: true }\n",
    version: "v2",
    status: "draft",
    want: "versions:\n  v1:\n    status: deprecated\n    deprecated: 2026-09-01\n  v2: draft\njson: { pretty: true }\n",
  },
  {
    name: "another version, in braces",
    given: "versions: { v1: { status: deprecated, deprecated: 2026-09-01 } } # all\n",
    version: "v2",
    status: "draft",
    want: "versions: { v1: { status: deprecated, deprecated: 2026-09-01 }, v2: draft } # all\n",
  },
  {
    name: "lines that end as on Windows",
    given: "service: a\r\nversions:\r\n  v1: draft\r\n",
    version: "v1",
    status: "published",
    want: "service: a\r\nversions:\r\n  v1: published\r\n",
  },
])("$name", ({ given, version, status, want }) => {
  expect(withVersionStatus(given, version, status)).toBe(want);
});
