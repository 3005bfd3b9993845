#!/usr/bin/env node
// The built command line; everything else is loaded when a command needs it.
import { setFlagsFromString } from "node:v8";

// A run ends before most of V8's optimised code pays for its compilation. A release of Node that lacks a flag would print
// a line about it, so each flag is for the releases that it was measured on: `npm run test:nodes`.
const OPTIMISE_LATER = {
  20: "--interrupt-budget=1000000",
  22: "--invocation-count-for-turbofan=100000",
  24: "--invocation-count-for-turbofan=100000",
  26: "--invocation-count-for-turbofan=100000",
};
const flag = OPTIMISE_LATER[process.versions.node.split(".", 1)[0]];
if (flag !== undefined) setFlagsFromString(flag);
const { main } = await import("../dist/cli.js");

process.exitCode = await main(process.argv.slice(2));
