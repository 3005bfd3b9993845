import { pause } from "../../contract/support/process-tests.js";
import { startProcess } from "../../contract/support/service-process.js";
import { listeningIn } from "../../support/listening.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** A release in a process of its own. */
export interface ReleaseProcess {
  readonly base: string;
  /** `kill -9`; resolves once it has ended. */
  readonly kill: () => Promise<void>;
  /** Stops it as a busy machine would, or wakes it. */
  readonly signal: (name: "SIGSTOP" | "SIGCONT") => void;
}

/** Starts the release of a folder of `test/.services`; resolves once it listens. */
export async function releaseProcess(
  service: string,
  databaseUrl: string,
): Promise<ReleaseProcess> {
  const { child, ready, output, ended } = launched(service, databaseUrl);
  await ready;
  const port = listeningIn(output.stdout)?.port;
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  const signal = (name: "SIGSTOP" | "SIGCONT"): void => void child.kill(name);
  return { base: `http://127.0.0.1:${port}`, kill, signal };
}

/** Starts it, and kills it after this time, whatever it does then: true where it did not listen yet. */
export async function killedStart(
  service: string,
  databaseUrl: string,
  milliseconds: number,
): Promise<boolean> {
  const { child, output, ended } = launched(service, databaseUrl);
  await Promise.race([pause(milliseconds), ended]);
  const isEarly = child.exitCode === null && listeningIn(output.stdout) === null;
  child.kill("SIGKILL");
  await ended;
  return isEarly;
}

function launched(service: string, databaseUrl: string): ReturnType<typeof startProcess> {
  const environment = { DATABASE_URL: databaseUrl, TEST_SERVICE: service, AUTH_SCHEME: "none" };
  return startProcess(temporaryFolder(), { ...environment, MIGRATE_WAIT_SECONDS: "0" });
}
