import { transformSync } from "esbuild";

/** A TypeScript file as JavaScript: only the types go. */
export function compiledText(text: string): string {
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
  return transformSync(text, { loader: "ts", target: "es2023", tsconfigRaw }).code;
}
