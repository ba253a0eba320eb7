import {
  type Policy,
  prepareRecording,
  type ReplayOptions,
  replayRecording,
  type SessionOutcome,
} from "../../../replay/index.ts";
import { escapeTerminal } from "../escape-terminal.ts";
import type { CommandContext } from "../terminal.ts";
import { loadRecording } from "./find-files.ts";

/** A thread's job: to look at a file, or to replay it. */
export interface ReplayJob {
  readonly kind: "look" | "replay";
  readonly file: string;
}

export type JobAnswer =
  | {
      readonly kind: "looked";
      readonly name: string;
      readonly contentDigest: string;
      readonly requests: number;
    }
  | { readonly kind: "replayed"; readonly outcome: SessionOutcome }
  | { readonly kind: "failed"; readonly reason: string };

interface JobTools {
  readonly context: CommandContext;
  readonly policies: readonly Policy[];
  readonly options: ReplayOptions;
  readonly onRun: (policy: string) => void;
}

/** Does one job. Never throws: what goes wrong with a session is told of that session. */
export async function doJob({ kind, file }: ReplayJob, tools: JobTools): Promise<JobAnswer> {
  const { context, policies, options, onRun } = tools;
  try {
    const loaded = await loadRecording(file, context);
    if (!loaded.ok) return { kind: "failed", reason: escapeTerminal(loaded.error.message) };
    const { name, contentDigest, requests } = loaded.value;
    if (kind === "look") return { kind: "looked", name, contentDigest, requests: requests.length };
    const outcome = await replayRecording(prepareRecording(loaded.value), policies, options, onRun);
    return { kind: "replayed", outcome };
  } catch (cause) {
    return { kind: "failed", reason: escapeTerminal(cause instanceof Error ? cause.message : String(cause)) };
  }
}
