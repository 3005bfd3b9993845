// The built command line in a process that stays: one command after the other, each with its folder and its outputs.
import { main } from "../../dist/cli.js";

const write = { out: process.stdout.write, err: process.stderr.write };

process.on("message", async ({ parameters, cwd }) => {
  const texts = { out: "", err: "" };
  const keep = (stream) => (text) => {
    texts[stream] += text;
    return true;
  };
  process.stdout.write = keep("out");
  process.stderr.write = keep("err");
  process.chdir(cwd);
  const exitCode = await main(parameters);
  process.stdout.write = write.out;
  process.stderr.write = write.err;
  // Each command listens for signals and broken pipes, as it would in a process of its own.
  for (const event of ["SIGINT", "SIGTERM"]) process.removeAllListeners(event);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error");
  process.send({ exitCode, ...texts });
});
