import { learnModel } from "./learn-model.ts";
import { attachContexts, attachNotices } from "./notices.ts";
import type { Run } from "./run.ts";
import { runHooks } from "./run-hooks.ts";
import type { Finish } from "./run-turns.ts";
import { toTitle } from "./title.ts";

/** Takes the user's word in, with what the model should know besides. Says why where a hook refuses it. */
export async function beginRun(run: Run, prompt: string): Promise<Finish | null> {
  const { handle } = run;
  if (run.isFork) return beginFork(run, prompt);
  const isNew = handle.statistics().turns === 0;
  if (run.isFirst) {
    await learnModel(run);
    const started = await runHooks(run, "SessionStart", { source: isNew ? "startup" : "resume" });
    if (started.stop !== undefined) return { reason: "hook", message: started.stop };
    await attachNotices(run, "session-start");
    await attachContexts(run, started.contexts);
  }
  const submitted = await runHooks(run, "UserPromptSubmit", { prompt });
  const refusal = submitted.block ?? submitted.stop;
  if (refusal !== undefined) return { reason: "hook", message: refusal };
  await attachNotices(run, "turn-start");
  await attachContexts(run, submitted.contexts);
  const { id } = await handle.session.add({ role: "user", content: prompt });
  run.emit({ type: "run-start", session: handle.session.id, entry: id });
  if (isNew) await handle.note({ topic: "title", title: toTitle(prompt) });
  return null;
}

async function beginFork(run: Run, directive: string): Promise<Finish | null> {
  const { session } = run.handle;
  const started = await runHooks(run, "SubagentStart", { agent: session.id, directive });
  const refusal = started.block ?? started.stop;
  if (refusal !== undefined) return { reason: "hook", message: refusal };
  await attachContexts(run, started.contexts);
  const { id } = await session.add({ role: "user", content: directive, isMeta: true });
  run.emit({ type: "run-start", session: session.id, entry: id });
  return null;
}
