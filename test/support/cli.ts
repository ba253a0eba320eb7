import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { storeLargeValues } from "../../packages/core/src/log/large-values.ts";
import type { EntryDraft, SessionHeader } from "../../packages/core/src/spec/index.ts";
import { type FileStore, openFileStore } from "../../packages/core/src/stores/files/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { type CliEnd, runInHost } from "./cli-hosts.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export type { CliEnd };

export const mainPath = fileURLToPath(new URL("../../packages/palimpsest/dist/cli.js", import.meta.url));

export interface CliOptions {
  readonly home?: string;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface CliProcessOptions extends CliOptions {
  /** Before the script: options of node itself. */
  readonly nodeOptions?: readonly string[];
  readonly uid?: number;
}

/** The environment of a person with a home folder and no settings. */
export function cliEnvironment({ home, environment }: CliOptions): Record<string, string> {
  const { PATH = "" } = process.env;
  return {
    PATH,
    TZ: "UTC",
    HOME: "/nonexistent",
    ...(home !== undefined && { PALIMPSEST_HOME: home }),
    ...environment,
  };
}

/** Runs the built program to its end, in a process that has it loaded: its start is most of what a command costs. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliEnd> {
  return runInHost({
    args,
    cwd: options.cwd ?? options.home ?? process.cwd(),
    environment: cliEnvironment(options),
    input: Buffer.from(options.input ?? "").toString("base64"),
  });
}

/** Runs the built program to its end in a process of its own, for what only such a one shows. */
export function runCliProcess(args: readonly string[], options: CliProcessOptions = {}): Promise<CliEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...(options.nodeOptions ?? []), mainPath, ...args], {
      cwd: options.cwd ?? options.home,
      env: cliEnvironment(options),
      ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
    });
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    child.stdout.on("data", (chunk: Buffer) => output.stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.stderr.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString("utf8");
      resolve({ code, stdout: text(output.stdout), stderr: text(output.stderr) });
    });
    child.stdin.on("error", () => undefined).end(options.input ?? "");
  });
}

/** A data root whose sessions belong to the project of that very folder. */
export interface CliHome {
  readonly home: string;
  readonly store: FileStore;
  /** Writes a session and closes it; gives the path of its log. */
  add(id: string, drafts: readonly EntryDraft[], header?: Partial<SessionHeader>): Promise<string>;
  run(args: readonly string[], options?: CliOptions): Promise<CliEnd>;
}

export async function cliHome(): Promise<CliHome> {
  const home = await temporaryFolder();
  const store = must(await openFileStore({ home, cwd: home }));
  return {
    home,
    store,
    async add(id, drafts, header = {}) {
      const session = { id, project: "test", cwd: home, ...header };
      const writer = must(await store.logs.create({ kind: "session", session }));
      for (const draft of drafts) {
        must(await writer.append([must(await storeLargeValues(draft, id, store.blobs, { durable: true }))]));
      }
      must(await writer.close());
      return must(store.layout.log(id));
    },
    run: (args, options) => runCli(args, { home, ...options }),
  };
}

export const userSays = (content: string): EntryDraft => ({
  kind: "message",
  message: { type: "user", content },
});

export async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, "utf8")).split("\n");
}

/** As if a process on another machine had the session open, last heard of that long ago. */
export async function openElsewhere(store: FileStore, session: string, heardMsAgo: number): Promise<void> {
  const folder = must(store.layout.lease(session));
  await mkdir(folder, { recursive: true });
  const heartbeatMs = Date.now() - heardMsAgo;
  const holder = {
    pid: 7,
    startTime: "1",
    bootId: "b",
    host: "far/away",
    pidNamespace: "n",
    token: "t",
    epoch: 90,
    heartbeatMs,
  };
  await writeFile(`${folder}/000000000090.json`, JSON.stringify(holder));
}
