import { basename } from "node:path";
import {
  buildReport,
  type Gathered,
  type Policy,
  type ReplayOptions,
  type ReplayReport,
  rowNames,
  type SessionOutcome,
} from "../../../replay/index.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { lanesOf, mergeOutcomes, shareLanes } from "./replay-lanes.ts";
import type { ReplayThreads } from "./replay-threads.ts";

interface ReplayWork {
  readonly files: readonly string[];
  readonly policies: readonly Policy[];
  readonly options: ReplayOptions;
  readonly threads: ReplayThreads;
  readonly shown: ReplayProgress;
}

/** Hears how far a replay is. */
export interface ReplayProgress {
  looking(files: number): void;
  looked(): void;
  replaying(runs: number): void;
  /** Nothing more comes. */
  ended(): void;
}

/**
 * Looks at every file, then replays each session once under every policy, in the order in which the sessions began. The
 * report is the same however many threads work on it: what a session learns, only the same lane knows.
 */
export async function replayFiles(work: ReplayWork): Promise<ReplayReport> {
  const { files, policies, options } = work;
  const gathered = await gather(work);
  return buildReport({
    ...gathered,
    ttl: options.ttl ?? "auto",
    priceRows: rowNames(options),
    policies: policies.map(({ name }) => name),
    files: files.length,
  });
}

type Found = Pick<Gathered, "outcomes" | "unreadable" | "duplicates">;

async function gather({ files, policies, options, threads, shown }: ReplayWork): Promise<Found> {
  const { sessions, unreadable, duplicates } = await lookAt(files, threads, shown);
  const lanes = lanesOf(policies, options);
  shown.replaying(sessions.length * lanes.length);
  const jobs = shareLanes(lanes, threads.count).map((own) => ({
    kind: "replay" as const,
    files: sessions,
    lanes: own,
  }));
  const answers = sessions.length === 0 ? [] : await threads.run(jobs, () => undefined);
  shown.ended();
  const outcomes: SessionOutcome[] = [];
  for (const [at, file] of sessions.entries()) {
    const parts = answers.map((answer) => {
      if (answer.kind === "replayed") return answer.outcomes[at];
      return { reason: answer.kind === "failed" ? answer.reason : "it was not replayed" };
    });
    const failed = parts.find((part) => part?.outcome === undefined);
    const whole = failed
      ? undefined
      : mergeOutcomes(
          parts.flatMap((part) => part?.outcome ?? []),
          policies.map(({ name }) => name),
        );
    if (whole) outcomes.push(whole);
    else
      unreadable.push({
        name: escapeTerminal(basename(file)),
        reason: failed && "reason" in failed ? failed.reason : "it was not replayed",
      });
  }
  return { outcomes, unreadable, duplicates };
}

/** The sessions in the order in which they began, each once. */
async function lookAt(files: readonly string[], threads: ReplayThreads, shown: ReplayProgress) {
  shown.looking(files.length);
  const looked = await threads.run(
    files.map((file) => ({ kind: "look", file })),
    shown.looked,
  );
  const unreadable: { readonly name: string; readonly reason: string }[] = [];
  const duplicates: { readonly name: string; readonly sameAs: string }[] = [];
  const first = new Map<string, string>();
  const sessions: { readonly file: string; readonly startMs: number }[] = [];
  for (const [at, answer] of looked.entries()) {
    const file = files[at] as string;
    if (answer.kind === "failed")
      unreadable.push({ name: escapeTerminal(basename(file)), reason: answer.reason });
    if (answer.kind !== "looked") continue;
    const twin = first.get(answer.contentDigest);
    if (twin === undefined) sessions.push({ file, startMs: answer.startMs });
    else duplicates.push({ name: answer.name, sameAs: twin });
    first.set(answer.contentDigest, twin ?? answer.name);
  }
  sessions.sort((one, other) => one.startMs - other.startMs || (one.file < other.file ? -1 : 1));
  return { sessions: sessions.map(({ file }) => file), unreadable, duplicates };
}
