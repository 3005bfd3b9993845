import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { ServiceHost } from "../support/service-host.js";
import { serviceFolder } from "../support/service-folders.js";
import { mutate } from "./mutated-services.js";
import { fileOf, resource, type Mutant } from "./mutant.js";
import { fixtureModel, verifyAt } from "./verifying.js";

const HOSTS = [new ServiceHost(), new ServiceHost()];
afterAll(() => HOSTS.forEach((host) => host.stop()));

/** Faults that no client can see: own code shows v1 nothing of a language, and makes a weight of its grams as it was. */
const UNSEEN = ["callLanguage: customer.", "null && { weight:"];

const model = await fixtureModel("versions");

/** Each conversion of a file dropped, and each swapped with the one that follows it. */
function faultsIn(plural: string): Mutant[] {
  const place = {
    rule: "VER-2",
    service: "versions",
    file: resource(`${plural}.conversions`),
  } as const;
  const text = readFileSync(fileOf({ ...place, find: "", replace: "", why: "" }), "utf8");
  const all = [
    // What is stored is shown as it is, and what is sent is stored as it is.
    ...replaced(text, /\w+Conversion\.toShown\(([\w.]+)\)/g, (_, value = "") => value),
    ...replaced(text, /\w+Conversion\.toStored\(\s*([\w.]+),[^)]*\)/g, (_, value = "") => value),
    ...replaced(text, /storedOf\(\s*\w+,\s*([\w.]+),[^)]*\)/g, (_, value = "") => value),
    // What is not shown is lost.
    ...replaced(text, /(\w+): stored\?\.\1 \?\? null/g, (_, name = "") => `${name}: null`),
    ...replaced(text, /stored === null \? (\S+) : stored\.\w+/g, (_, preset = "") => preset),
    // What is converted by the service's own code is always made anew.
    ...replaced(text, /stored (&& \{\s*\w+:)/g, (_, value = "") => `null ${value}`),
    // A property is neither shown nor written.
    ...replaced(text, /^( {4}\w+): \w+\.\w+,$/gm, (_, name = "") => `${name}: null,`),
    ...swapped(text),
  ];
  const isSeen = ({ why }: Fault): boolean => !UNSEEN.some((one) => why.includes(one));
  return all.filter(isSeen).map((fault) => ({ ...place, ...fault }));
}

type Fault = Pick<Mutant, "find" | "replace" | "why">;

/** Each text that a pattern finds, in the whole of the file: others can be like it. */
function replaced(
  text: string,
  pattern: RegExp,
  write: (...found: readonly (string | undefined)[]) => string,
): Fault[] {
  return [...text.matchAll(pattern)].map((match) => {
    const other = write(...match);
    const end = match.index + match[0].length;
    return {
      find: text,
      replace: text.slice(0, match.index) + other + text.slice(end),
      why: `${match[0]} is ${other}, after ${text.slice(0, match.index).split("\n").length} lines`,
    };
  });
}

/** The values of two neighbours, each for the other. */
function swapped(text: string): Fault[] {
  const pairs = /(\w+: )((?:stored|sent)\.\w+)(,\s+\w+: )((?:stored|sent)\.\w+)(?=[ ,])/g;
  return replaced(text, pairs, (_, ...parts) => {
    const [name = "", first = "", next = "", second = ""] = parts;
    return name + second + next + first;
  });
}

/** What `verify` says of the rule. */
async function outcomeAt(folder: string, host: ServiceHost): Promise<string> {
  const url = await host.start(folder);
  const { verdicts } = await verifyAt(model, url, { rules: ["VER-2"], mostFailures: 1 });
  return verdicts.map(({ outcome }) => outcome).join();
}

test("a service without a fault passes", async () => {
  const [host = new ServiceHost()] = HOSTS;
  expect(await outcomeAt(serviceFolder("versions"), host)).toBe("pass");
});

test(
  "verify notices each conversion that is dropped or swapped",
  { timeout: 600_000 },
  async () => {
    const faults = ["customers", "invoices", "openorders", "orders"].flatMap(faultsIn);
    const missed: string[] = [];
    const waiting = [...faults];
    const work = async (host: ServiceHost): Promise<void> => {
      for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
        const name = `law-${waiting.length}`;
        const outcome = await mutate(fault, name)
          .then(async (folder) => outcomeAt(folder, host))
          .catch(String);
        if (outcome !== "fail") missed.push(`${fault.file}: ${fault.why}: ${outcome}`);
      }
    };
    await Promise.all(HOSTS.map(work));
    expect(missed).toEqual([]);
    expect(faults.length).toBeGreaterThan(60);
  },
);
