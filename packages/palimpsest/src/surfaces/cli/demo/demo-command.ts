import { availableParallelism } from "node:os";
import { createRuntime } from "@palimpsest/core/internal";
import { aborted } from "../aborted.ts";
import { toJson } from "../harmless.ts";
import { openInspector } from "../inspect/inspect-command.ts";
import { orThrow } from "../or-throw.ts";
import { progressBar } from "../replay/progress-bar.ts";
import type { CommandContext } from "../terminal.ts";
import { toReport } from "./demo-report.ts";
import { type EngineSession, writeEngineSession } from "./engine-session-file.ts";
import { playLive } from "./live/play-live.ts";
import { createStage } from "./live/stage.ts";
import { loadSample, sampleFile } from "./load-sample.ts";
import { reportLines } from "./report-lines.ts";
import { playedPolicies } from "./runs/demo-policies.ts";
import { startDemoRuns } from "./runs/demo-runs.ts";
import { emptyDemo, reduceDemo } from "./state/demo-state.ts";

export interface DemoOptions {
  readonly json?: boolean;
  readonly fast?: boolean;
}

/** As many as do something at once; more would only read the session again. */
const maxThreads = 4;

/** Plays the bundled session through the engine, live where a person looks, and compares it with other policies. */
export async function runDemo(context: CommandContext, options: DemoOptions): Promise<void> {
  const { terminal, folder } = context;
  const { columns, style, signal } = terminal;
  const { clock, environment } = createRuntime();
  const sample = orThrow(await loadSample(sampleFile, signal));
  const { story } = sample;
  const stage = createStage(sample);
  const isWatched = terminal.isScreen && environment.TERM !== "dumb" && !options.json;
  const isLive = isWatched && !options.fast;
  let state = emptyDemo;
  let log: EngineSession["log"] | null = null;
  const runs = startDemoRuns({
    file: sampleFile,
    threads: Math.min(maxThreads, availableParallelism()),
    hear(word) {
      state = reduceDemo(state, word);
      if (word.word === "log") log = word;
      if (!isLive) terminal.progress(progressBar("replaying", state.compared, playedPolicies.length));
    },
    signal,
    clock,
  });
  try {
    if (isLive) {
      const { stdin, stdout } = process;
      await playLive({
        stage,
        state: () => state,
        ended: runs.outcomes,
        stdin,
        stdout,
        style,
        clock,
        signal,
      });
    }
    const comparison = orThrow(toReport(await runs.outcomes));
    if (options.json) return await terminal.write(toJson({ session: story, run: state, comparison }));
    const made = isWatched && log ? await writeEngineSession({ story, cwd: stage.folder, log }) : null;
    const inspector =
      made &&
      (await openInspector({ ...context, store: "files", stores: undefined }, made.path, { port: 0 }));
    const lines = reportLines(
      { story, stage, state, summaries: comparison.policies },
      {
        columns,
        style,
        wasShown: isWatched,
        inspector: { sample: sampleFile, folder, ...(inspector && { url: inspector.url }) },
      },
    );
    await terminal.write(`${lines.join("\n")}\n`);
    if (inspector) await aborted(signal);
    await inspector?.close();
    await made?.remove();
  } finally {
    await runs.close();
  }
}
