declare module "textlint-rule-en-max-word-count";
declare module "textlint-rule-prh";
