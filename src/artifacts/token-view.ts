import { word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import type { ServiceModel } from "../model/service-model.js";

/** What `scaffold/token.ts.hbs` sees. */
export interface TokenView {
  /** AUT-1: how the service knows its callers. */
  readonly scheme: TsCode;
}

/** The program that makes tokens for development. */
export function tokenView({ authentication }: ServiceModel): TokenView {
  return { scheme: word(authentication.scheme) };
}
