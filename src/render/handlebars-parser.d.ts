// The parser alone: the compiler beside it makes code of texts, and stays out of the package. It has no types of its own.
declare module "handlebars/dist/cjs/handlebars/compiler/base.js" {
  export function parse(text: string): hbs.AST.Program;
}
