import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { openMemory } from "@palimpsest/core";
import { createRuntime } from "@palimpsest/core/internal";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { untilAborted } from "../../../signals.ts";
import { exportSession } from "../../inspector/export/export-session.ts";
import type { WhatIf } from "../../inspector/inspected.ts";
import { createMemoryShelf } from "../../inspector/read/memory-shelf.ts";
import { createModelFacts } from "../../inspector/read/opened-session.ts";
import {
  createSessionShelf,
  type SessionShelf,
  type ShelfScope,
} from "../../inspector/read/session-shelf.ts";
import { mainPolicyName, policyAbouts } from "../../inspector/server/run-what-if.ts";
import { defaultPageFolder } from "../../inspector/server/send-answer.ts";
import { serveInspector } from "../../inspector/server/serve-inspector.ts";
import { createWhatIfs, createWhatIfThreads, type WhatIfs } from "../../inspector/server/what-ifs.ts";
import { orThrow, UsageError } from "../../local/or-throw.ts";
import { findFiles } from "../../local/sessions/find-files.ts";
import { findTranscript } from "../../local/sessions/find-transcript.ts";
import { openSessionLocations, type SessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal, toJsonLine } from "../../terminal/escape-terminal.ts";
import { interruption } from "../ask.ts";
import { createFileSink } from "../sessions/export-sink.ts";

export interface InspectOptions {
  readonly port: number;
  readonly out?: string;
  readonly whatIf?: string;
  readonly open?: boolean;
  readonly json?: boolean;
  /** Where the built page is, for tests. */
  readonly pageFolder?: string;
}

/** Serves the inspector until it is interrupted, or writes one session as a file. Reads only. */
export async function runInspect(
  context: CommandContext,
  named: string | undefined,
  options: InspectOptions,
): Promise<void> {
  const { terminal } = context;
  const policies = readPolicies(options);
  if (options.out === undefined) return serve(context, named, options);
  const { places, scope, sessions, whatIfs } = await openShelves(context, named);
  if (scope.session === undefined && scope.files?.length !== 1)
    throw new UsageError("--out needs one session; use: palimpsest inspect SESSION --out report.html");
  const id = scope.session?.session;
  return writeReport({ locations: places, sessions, id, whatIfs, policies, options, terminal });
}

/** Opens what the inspector shows of a person's choice. */
async function openShelves(context: CommandContext, named: string | undefined) {
  const { terminal, home, folder, store } = context;
  const location = { home, folder, ...(store !== undefined && { store }) };
  const locations = await openSessionLocations(context);
  const { scope, project } = orThrow(await findInspectTarget(locations, named));
  const describe = createModelFacts(createRuntime().environment);
  const { signal } = terminal;
  return {
    places: locations,
    scope,
    sessions: createSessionShelf({ locations, scope, describe, signal }),
    whatIfs: createWhatIfs(createWhatIfThreads(location, signal)),
    memories: createMemoryShelf(
      project === null ? null : () => openMemory({ store: locations.store(project), project }),
    ),
  };
}

/** Begins to serve what a person named, and goes on until it is closed. */
export async function openInspector(
  context: CommandContext,
  named: string | undefined,
  { port, pageFolder }: Pick<InspectOptions, "port" | "pageFolder">,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { sessions, memories, whatIfs } = await openShelves(context, named);
  return orThrow(
    await serveInspector({
      sessions,
      memories,
      whatIfs,
      port,
      ...(pageFolder !== undefined && { pageFolder }),
    }),
  );
}

function readPolicies({ whatIf, out }: InspectOptions): readonly string[] {
  if (whatIf === undefined) return [];
  if (out === undefined)
    throw new UsageError("--what-if goes with --out; on the page any policy can be chosen");
  const known = policyAbouts().map(({ name }) => name);
  const names = [...new Set(whatIf.split(",").map((name) => mainPolicyName(name.trim())))];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--what-if: there is no “${unknown}”; there are ${known.join(", ")}`);
  return names;
}

async function serve(
  context: CommandContext,
  named: string | undefined,
  options: InspectOptions,
): Promise<void> {
  const { terminal } = context;
  const { json, open } = options;
  const served = await openInspector(context, named, options);
  const { bold, dim } = terminal.style;
  const text = [bold("Inspector at"), served.url, dim("Only this machine can open it. Ctrl+C ends it."), ""];
  await terminal.write(json ? toJsonLine({ url: served.url }) : text.join("\n"));
  if (open && terminal.isInteractive)
    openBrowser(served.url, createRuntime().platform, (reason) =>
      terminal.say(`note: ${escapeTerminal(reason)}`),
    );
  await untilAborted(terminal.signal);
  await served.close();
  throw interruption();
}

interface Report {
  readonly locations: SessionLocations;
  readonly sessions: SessionShelf;
  /** Absent where there is only one. */
  readonly id: string | undefined;
  readonly whatIfs: WhatIfs;
  readonly policies: readonly string[];
  readonly options: InspectOptions;
  readonly terminal: Terminal;
}

async function writeReport(report: Report): Promise<void> {
  const { locations, sessions, id, whatIfs, policies, options, terminal } = report;
  const { out = "", json, pageFolder = defaultPageFolder } = options;
  const entries = orThrow(await sessions.list());
  const chosen = id === undefined ? entries[0] : entries.find((entry) => entry.id === id);
  if (!chosen) throw fail("not-found", "There is no session to write.").error;
  const session = orThrow(await sessions.open(chosen.id));
  const answers: WhatIf[] = [];
  for (const [at, policy] of policies.entries()) {
    terminal.progress(`replaying under ${policy}, ${at + 1} of ${policies.length}`);
    answers.push(orThrow(await whatIfs.ask(chosen.id, session, policy)));
  }
  const html = orThrow(await exportSession({ entry: chosen, session, whatIfs: answers, pageFolder }));
  const path = resolve(locations.folder, out);
  const sink = orThrow(await createFileSink(locations.disk, locations.ids, path, { force: true }));
  try {
    orThrow(await sink.write(Buffer.from(html)));
    orThrow(await sink.commit());
  } finally {
    await sink.discard();
  }
  if (json) await terminal.write(toJsonLine({ path, session: chosen.id, bytes: Buffer.byteLength(html) }));
  else terminal.say(`wrote ${escapeTerminal(path)}`);
}

/** Hands an address to the program that opens pages here; says so where there is none. */
function openBrowser(url: string, platform: string, onFailure: (reason: string) => void): void {
  const program = platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [url], { stdio: "ignore", detached: true });
  child.on("error", (cause) => onFailure(`${program} cannot be run: ${cause.message}`));
  child.unref();
}

interface InspectTarget {
  readonly scope: ShelfScope;
  /** Whose memories are shown; `null` where what is looked at belongs to no project, or to several. */
  readonly project: string | null;
}

/** The thing a person means: a session, a file, a project's folder or one with transcripts; nothing: this project. */
async function findInspectTarget(
  locations: SessionLocations,
  named: string | undefined,
): Promise<Result<InspectTarget>> {
  if (named === undefined) return ownProject(locations);
  if (named === "-")
    throw new UsageError("standard input cannot be looked into; use: palimpsest inspect FILE");
  const target = await findTranscript(locations, named);
  if (target.ok && target.value.kind === "session") {
    const { kind: _kind, ...session } = target.value;
    return ok({ scope: { session }, project: session.project });
  }
  if (target.ok && target.value.kind === "file")
    return ok({ scope: { files: [target.value.path] }, project: null });
  if (target.ok || target.error.code !== "is-directory") return target as Result<never>;
  return folderTarget(locations, resolve(locations.folder, named));
}

async function ownProject(locations: SessionLocations): Promise<Result<InspectTarget>> {
  const all = await locations.projects();
  if (!all.ok) return all;
  const current = await locations.currentProject();
  const own = current.ok && all.value.includes(current.value) ? current.value : null;
  if (own !== null) return ok({ scope: { projects: [own] }, project: own });
  return ok({ scope: { projects: all.value }, project: null });
}

async function folderTarget(locations: SessionLocations, folder: string): Promise<Result<InspectTarget>> {
  const all = await locations.projects();
  if (!all.ok) return all;
  const slug = await locations.toProject(folder);
  const project = slug.ok && all.value.includes(slug.value) ? slug.value : null;
  const files = await findFiles([folder], folder);
  if (project === null && files.length === 0)
    return fail("not-found", `There are no sessions in ${folder}.`, {
      path: folder,
      fix: "Name a session, a file, or a folder that has transcripts (.jsonl, .json, .gz).",
    });
  return ok({ scope: { ...(project !== null && { projects: [project] }), files }, project });
}
