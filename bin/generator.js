#!/usr/bin/env node
// The built command line; everything else is loaded when a command needs it.
import { main } from "../dist/cli.js";

process.exitCode = await main(process.argv.slice(2));
