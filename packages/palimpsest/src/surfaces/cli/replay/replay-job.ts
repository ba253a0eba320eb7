import {
  createReplay,
  type Policy,
  prepareRecording,
  type RecordedSession,
  type ReplayLane,
  type ReplayOptions,
  type SessionOutcome,
} from "../../../replay/index.ts";
import { loadRecording } from "../../local/sessions/find-files.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";

/** A thread's job: to look at a file, or to replay sessions in the order of their time, under some of the policies. */
export type ReplayJob =
  | { readonly kind: "look"; readonly file: string }
  | { readonly kind: "replay"; readonly files: readonly string[]; readonly lanes: readonly NamedLane[] };

/** A lane as threads are told of it. */
export interface NamedLane {
  readonly policy: string;
  readonly rows: readonly string[];
}

/** What became of a file: its outcome has the runs of the job's lanes. */
export type FileOutcome =
  | { readonly outcome: SessionOutcome }
  | { readonly outcome?: never; readonly reason: string };

export type JobAnswer =
  | {
      readonly kind: "looked";
      readonly name: string;
      readonly contentDigest: string;
      readonly startMs: number;
    }
  | { readonly kind: "replayed"; readonly outcomes: readonly FileOutcome[] }
  | { readonly kind: "failed"; readonly reason: string };

interface JobTools {
  readonly context: CommandContext;
  readonly policies: readonly Policy[];
  readonly options: ReplayOptions;
  /** A lane is done with a session. */
  readonly onRun: () => void;
}

/** Does one job. Never throws: what goes wrong with a session is told of that session. */
export async function doJob(job: ReplayJob, tools: JobTools): Promise<JobAnswer> {
  if (job.kind === "replay") return replayFiles(job.files, job.lanes, tools);
  const loaded = await load(job.file, tools.context);
  if (typeof loaded === "string") return { kind: "failed", reason: loaded };
  const { name, contentDigest, requests } = loaded;
  return { kind: "looked", name, contentDigest, startMs: requests[0]?.sentMs ?? 0 };
}

async function replayFiles(
  files: readonly string[],
  named: readonly NamedLane[],
  { context, policies, options, onRun }: JobTools,
): Promise<JobAnswer> {
  const lanes = named.flatMap(({ policy: name, rows }): readonly ReplayLane[] =>
    policies.filter((policy) => policy.name === name).map((policy) => ({ policy, rows })),
  );
  const replay = createReplay(lanes, options);
  const outcomes: FileOutcome[] = [];
  for (const file of files) {
    const loaded = await load(file, context);
    const made =
      typeof loaded === "string"
        ? { reason: loaded }
        : await replay
            .run(prepareRecording(loaded), onRun)
            .then((outcome) => ({ outcome }))
            .catch((cause: unknown) => ({ reason: reasonOf(cause) }));
    outcomes.push(made);
  }
  return { kind: "replayed", outcomes };
}

/** The session, or why there is none. */
async function load(file: string, context: CommandContext): Promise<RecordedSession | string> {
  try {
    const loaded = await loadRecording(file, context);
    return loaded.ok ? loaded.value : escapeTerminal(loaded.error.message);
  } catch (cause) {
    return reasonOf(cause);
  }
}

function reasonOf(cause: unknown): string {
  return escapeTerminal(cause instanceof Error ? cause.message : String(cause));
}
