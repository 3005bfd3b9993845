import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ServiceOptions } from "#runtime/service/service";
import type { Report } from "./service-process.js";

/** A process that runs compiled services, one at a time. */
export class ServiceHost {
  private child: ChildProcess | null = null;

  /** Starts the service in a folder, instead of the one before; its URL. */
  async start(folder: string, options: ServiceOptions = {}, webhook?: string): Promise<string> {
    this.child ??= this.launch();
    const answer = once(this.child, "message");
    this.child.send({ folder, options, webhook });
    // The host sends nothing else.
    const [report] = (await answer) as [Report];
    if ("error" in report) throw new Error(`it does not start: ${report.error}`);
    return report.url;
  }

  /** Ends the process; the next service starts in another. */
  stop(): void {
    this.child?.kill("SIGKILL");
    this.child = null;
  }

  private launch(): ChildProcess {
    const host = fileURLToPath(new URL("./service-process.ts", import.meta.url));
    const execArgv = ["--import", import.meta.resolve("tsx")];
    const child = fork(host, { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.once("exit", () => {
      if (this.child === child) this.child = null;
    });
    return child;
  }
}
