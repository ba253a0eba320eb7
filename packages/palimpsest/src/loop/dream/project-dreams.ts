import { openRecall } from "@palimpsest/core";
import {
  createHasPath,
  createKeyedMask,
  createScribeDreamer,
  createStoreMaskKey,
  type Dreamer,
  type Dreams,
  type KeyedMask,
  openDreams,
} from "@palimpsest/core/internal";
import type { Clock, Disk, Ids, ProjectStore } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { type JustBash, loadJustBash } from "../../tools/dream-shell/dream-shell.ts";
import type { SessionOptions } from "../open-session.ts";
import { createModelDreamer } from "./create-model-dreamer.ts";

export interface ProjectDreamsOptions extends Pick<SessionOptions, "model" | "fallbackModel" | "settings"> {
  readonly store: ProjectStore;
  readonly home: string;
  /** The project's folder. */
  readonly cwd: string;
  readonly homeFolder: string;
  readonly clock: Clock;
  /** This machine's; for paths in memories, and for the key of masks. */
  readonly disk?: Disk;
  readonly ids: Ids;
  /** The current session, which is not counted. */
  readonly sessionId?: string;
  readonly isEnabled?: boolean;
  /** Loads just-bash; the installed one when absent. */
  readonly loadShell?: () => Promise<JustBash>;
  /** Told what is missing and stops nothing. */
  readonly onWarning?: (text: string) => void;
}

export interface ProjectDreams extends Dreams {
  /** Takes secrets out of a text. */
  readonly mask: KeyedMask["mask"];
  readonly scribe: Dreamer;
  /** Looks for the shell first: without it the model reads by its other tools. */
  modelDreamer(): Promise<Dreamer>;
}

/** The dreams of a project on this machine. Reads nothing before it is used. `null`: its store cannot dream. */
export function openProjectDreams(options: ProjectDreamsOptions): ProjectDreams | null {
  const { store, home, cwd, homeFolder, clock, ids, sessionId, settings, isEnabled, onWarning } = options;
  const { disk = createNodeDisk() } = options;
  const { mask } = createKeyedMask(createStoreMaskKey({ store, disk, home, ids }));
  const dreams = openDreams({
    store,
    clock,
    ids,
    mask,
    ...(settings && { settings }),
    ...(sessionId === undefined ? {} : { session: sessionId }),
    ...(isEnabled === undefined ? {} : { isEnabled }),
  });
  if (!dreams) return null;
  const { numbers } = dreams;
  const { model, fallbackModel } = options;
  return {
    ...dreams,
    mask,
    scribe: createScribeDreamer({ numbers, hasPath: createHasPath(disk, cwd, homeFolder) }),
    async modelDreamer() {
      const bash = await loadJustBash(options.loadShell);
      if (!bash.ok) onWarning?.(`${bash.error.message} The dream goes on without it, by its other tools.`);
      const mounts = { sessions: store.folders?.sessions ?? (await loadSessionTexts(store)) };
      return createModelDreamer({
        numbers,
        recall: openRecall({ store, clock, ids }),
        session: {
          store,
          home,
          cwd,
          clock,
          ...(model !== undefined && { model }),
          ...(fallbackModel !== undefined && { fallbackModel }),
          ...(settings && { settings }),
        },
        ...(bash.ok && { shell: { mounts, load: async () => bash.value } }),
      });
    },
  };
}

/** More than a dream reads; what is older is found by its search. */
const maxSessionBytes = 64 * 1024 * 1024;

/** The newest logs as the files they would be, for a shell, where the store has no folder: read once. */
export async function loadSessionTexts(
  { logs, sessions }: Pick<ProjectStore, "logs" | "sessions">,
  maxBytes = maxSessionBytes,
): Promise<() => ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const listed = await (logs.sizes?.() ?? logs.list());
  const newest = listed.ok
    ? [...listed.value].sort((one, other) => (one.modifiedAt < other.modifiedAt ? 1 : -1))
    : [];
  let left = maxBytes;
  for (const { session, bytes } of newest) {
    if (bytes > left) break;
    left -= bytes;
    const text = await readLog(sessions, session);
    if (text !== null) texts.set(`${session}.jsonl`, text);
  }
  return () => texts;
}

/** `null` for a log that is gone or cannot be read. */
async function readLog(sessions: ProjectStore["sessions"], session: string): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of sessions.lines(session)) {
    if (!chunk.ok) return null;
    chunks.push(chunk.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}
