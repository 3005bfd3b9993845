import { minimalSize, roomSizes, sizeTable, trackedFiles } from "./sizes.js";

const tracked = trackedFiles();
if (tracked === null)
  throw new Error("Sizes are those of tracked files: they need git, and a clone.");
console.log(sizeTable({ ...roomSizes(tracked), ...(await minimalSize()) }));
