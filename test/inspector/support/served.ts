import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openMemory } from "../../../packages/core/src/session/memory/open-memory.ts";
import { createMemoryShelf } from "../../../packages/palimpsest/src/surfaces/inspector/read/memory-shelf.ts";
import { createModelFacts } from "../../../packages/palimpsest/src/surfaces/inspector/read/opened-session.ts";
import {
  createSessionShelf,
  type ShelfScope,
} from "../../../packages/palimpsest/src/surfaces/inspector/read/session-shelf.ts";
import { runWhatIf } from "../../../packages/palimpsest/src/surfaces/inspector/server/run-what-if.ts";
import { serveInspector } from "../../../packages/palimpsest/src/surfaces/inspector/server/serve-inspector.ts";
import {
  type AskWhatIf,
  createWhatIfs,
} from "../../../packages/palimpsest/src/surfaces/inspector/server/what-ifs.ts";
import { loadRecording } from "../../../packages/palimpsest/src/surfaces/local/sessions/find-files.ts";
import { openSessionLocations } from "../../../packages/palimpsest/src/surfaces/local/sessions/session-locations.ts";
import { silentTerminal } from "../../../packages/palimpsest/src/surfaces/local/terminal.ts";
import { must } from "../../../packages/testing/src/conformance/outcomes.ts";
import { type CliHome, cliHome } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A page that is made up: the real one is built apart. */
export async function madeUpPage(): Promise<string> {
  const folder = await temporaryFolder();
  const html =
    '<!doctype html><html><head><link rel="stylesheet" href="app.css"></head><body><div id="app"></div><script type="module" src="app.js"></script></body></html>';
  await writeFile(join(folder, "index.html"), html);
  await writeFile(join(folder, "app.js"), 'const close = "</script><!--";\n');
  await writeFile(join(folder, "app.css"), "body { margin: 0 }\n");
  await writeFile(join(folder, "secret.txt"), "not to be seen");
  return folder;
}

export interface Served {
  readonly home: CliHome;
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly asked: string[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  json<Value>(path: string): Promise<Value>;
  /** Sends bytes as they are and gives the whole answer. */
  raw(request: string): Promise<string>;
}

export interface ServedOptions {
  readonly home?: CliHome;
  readonly scope?: (project: string) => ShelfScope;
}

/** The inspector of a data root, with replays on this thread. */
export async function served(options: ServedOptions = {}): Promise<Served> {
  const home = options.home ?? (await cliHome());
  const context = { terminal: silentTerminal(), home: home.home, folder: home.home, now: () => 0 };
  const locations = await openSessionLocations(context);
  const project = must(await locations.currentProject());
  await mkdir(`${home.home}/projects/${project}/sessions`, { recursive: true });
  const asked: string[] = [];
  const askWhatIf: AskWhatIf = async ({ path, policy, inheritedRequests }) => {
    asked.push(policy);
    const recording = await loadRecording(path, context);
    return recording.ok ? runWhatIf(recording.value, policy, inheritedRequests) : recording;
  };
  const stop = new AbortController();
  const scope = options.scope?.(project) ?? { projects: [project] };
  const inspector = must(
    await serveInspector({
      sessions: createSessionShelf({ locations, scope, describe: createModelFacts(), signal: stop.signal }),
      memories: createMemoryShelf(() => openMemory({ home: home.home, project })),
      whatIfs: createWhatIfs(askWhatIf),
      pageFolder: await madeUpPage(),
      watch: { settleMs: 1, pollMs: 20 },
    }),
  );
  onTestFinished(async () => {
    stop.abort();
    await inspector.close();
  });
  const { port, pathname } = new URL(inspector.url);
  return {
    home,
    url: inspector.url,
    port: Number(port),
    token: pathname.split("/")[1] as string,
    asked,
    get: (path, headers = {}) => fetch(`${inspector.url}${path}`, { headers, redirect: "manual" }),
    async json(path) {
      const response = await fetch(`${inspector.url}${path}`);
      return (await response.json()) as never;
    },
    raw: (request) => rawExchange(Number(port), request),
  };
}

function rawExchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}

/** A request as it goes over the wire; the connection is closed behind it. */
export function wire(line: string, headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${line} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`;
}
