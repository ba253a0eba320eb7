// Starts a real Postgres server with a folder of its own, for tests and benches; nothing is left behind by `stop`.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { serverBinaries } from "./server-binaries.mjs";

export { postgresAbsence } from "./server-binaries.mjs";

const run = promisify(execFile);
const nobody = 65_534;
const user = "palimpsest";

/**
 * A server on 127.0.0.1. With `isDurable` it syncs as a real one does; without, only the machine may not fail.
 * @param {{ isDurable?: boolean, settings?: Readonly<Record<string, string | number>> }} options
 */
export async function startPostgres({ isDurable = false, settings = {} } = {}) {
  const { folder: binaries, copy } = await serverBinaries();
  const home = await mkdtemp(join(tmpdir(), "palimpsest-postgres-"));
  const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if (identity.uid) await chown(home, nobody, nobody);
  const data = join(home, "data");
  const environment = { PATH: process.env.PATH, LC_ALL: "C", TMPDIR: home };
  const command = (name) => join(binaries, "bin", name);
  const process_ = { cwd: home, env: environment, ...identity };
  const removeAll = async () => {
    for (const path of [home, copy])
      if (path) await rm(path, { recursive: true, force: true, maxRetries: 5 });
  };
  const setting = (name, value) => ["-c", `${name}=${value}`];
  const fast = isDurable ? {} : { fsync: "off", full_page_writes: "off", synchronous_commit: "on" };
  let port = await freePort();
  let child = null;

  async function start() {
    const chosen = { max_connections: 200, log_min_messages: "fatal", ...fast, ...settings };
    const args = Object.entries(chosen).flatMap(([name, value]) => setting(name, value));
    const started = spawn(
      command("postgres"),
      ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", home, ...args],
      { ...process_, stdio: ["ignore", "ignore", "pipe"] },
    );
    child = started;
    let said = "";
    started.stderr.on("data", (chunk) => {
      said = (said + chunk).slice(-4000);
    });
    await untilReady(started, data, () => said);
  }

  // Whoever ends without `stop` takes the server along.
  const endWithUs = () => child?.kill("SIGQUIT");
  process.once("exit", endWithUs);

  async function end(signal) {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  try {
    await run(
      command("initdb"),
      ["-D", data, "-U", user, "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
      process_,
    );
    await start();
  } catch (error) {
    await removeAll();
    throw error;
  }
  return {
    get url() {
      return `postgres://${user}@127.0.0.1:${port}/postgres`;
    },
    get port() {
      return port;
    },
    get pid() {
      return child.pid;
    },
    start,
    /** The server ends its connections, in order, and comes back. */
    async restart() {
      await end("SIGINT");
      await start();
    },
    /** As when its machine loses the process: the next start recovers from its own log. */
    async crash() {
      await end("SIGQUIT");
    },
    /** As `restart`, at another port: the address that clients know leads nowhere. */
    async move() {
      await end("SIGINT");
      port = await freePort();
      await start();
    },
    async stop() {
      process.off("exit", endWithUs);
      await end("SIGINT");
      await removeAll();
    },
  };
}

/** The server says in its own file when it takes connections. */
async function untilReady(child, data, said) {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Postgres ended: ${said()}`);
    const state = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
    const lines = state.split("\n");
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === "ready") return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function freePort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
