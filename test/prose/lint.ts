import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  TextlintKernel,
  type TextlintKernelOptions,
  type TextlintRuleModule,
} from "@textlint/kernel";
import * as markdown from "@textlint/textlint-plugin-markdown";
import * as plain from "@textlint/textlint-plugin-text";
import * as maxWords from "textlint-rule-en-max-word-count";
import * as prh from "textlint-rule-prh";
import { textsOf, unwrapped, withoutHandlebars } from "./texts.js";

const WORDS_OF_A_SENTENCE = 30;
const DICTIONARY = fileURLToPath(new URL("dictionary.yml", import.meta.url));
const MARKDOWN = /\.md(?:\.hbs)?$/;
const kernel = new TextlintKernel();

const OPTIONS: Omit<TextlintKernelOptions, "ext"> = {
  plugins: [
    { pluginId: "markdown", plugin: moduleOf(markdown), options: {} },
    { pluginId: "text", plugin: moduleOf(plain), options: {} },
  ],
  rules: [
    rule("words", maxWords, { max: WORDS_OF_A_SENTENCE }),
    rule("dictionary", prh, {
      ruleContents: [readFileSync(DICTIONARY, "utf8")],
      checkHeader: false,
      checkEmphasis: true,
    }),
  ],
};

/** A file whose prose is linted. */
export interface Source {
  readonly path: string;
  readonly source: string;
}

/** Lists what is wrong with the prose of files, each with its line; Markdown is prose as a whole. */
export async function proseFindings(sources: readonly Source[]): Promise<string[]> {
  const pages = sources.filter(({ path }) => MARKDOWN.test(path));
  const findings = pages.map(async ({ path, source }) => {
    const found = await messages(
      unwrapped(path.endsWith(".hbs") ? withoutHandlebars(source) : source),
      ".md",
    );
    return found.map(({ line, message }) => `${path}:${line} ${message}`);
  });
  return [...(await Promise.all(findings)).flat(), ...(await textFindings(sources))];
}

/** The texts of all other files are one document, because the dictionary is read again for each. */
async function textFindings(sources: readonly Source[]): Promise<string[]> {
  const texts = sources
    .filter(({ path }) => !MARKDOWN.test(path))
    .flatMap(({ path, source }) => textsOf(path, source).map((text) => ({ path, ...text })));
  const found = await messages(texts.map(({ text }) => `${text}\n\n`).join(""), ".txt");
  return found.map(({ line, message }) => {
    const text = texts[(line - 1) / 2];
    return `${text?.path}:${text?.line} ${message}`;
  });
}

async function messages(text: string, ext: string) {
  const result = await kernel.lintText(text, { ...OPTIONS, ext });
  return result.messages.map(({ loc, message }) => ({
    line: loc.start.line,
    message: message.replaceAll("\n", " "),
  }));
}

function rule(ruleId: string, module: unknown, options: object) {
  return { ruleId, rule: moduleOf<TextlintRuleModule>(module), options: { ...options } };
}

/** The CommonJS modules of textlint hold what they export as `default` once or twice, by who loads them. */
function moduleOf<T>(module: unknown): T {
  const { default: inner } = module as { readonly default?: unknown };
  return inner === undefined ? (module as T) : moduleOf<T>(inner);
}
