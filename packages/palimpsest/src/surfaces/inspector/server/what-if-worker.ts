import { parentPort, workerData } from "node:worker_threads";
import { PalimpsestError } from "@palimpsest/core/spec";
import { loadRecording } from "../../local/sessions/find-files.ts";
import { silentTerminal } from "../../local/terminal.ts";
import { runWhatIf } from "./run-what-if.ts";
import type { WhatIfStart, WhatIfWord } from "./what-ifs.ts";

const { path, policy, inheritedRequests, home, folder, store } = workerData as WhatIfStart;

async function answer(): Promise<WhatIfWord> {
  try {
    const chosen = store === undefined ? {} : { store };
    const context = { terminal: silentTerminal(), home, folder, ...chosen, now: () => Date.now() };
    const recording = await loadRecording(path, context);
    const run = recording.ok ? await runWhatIf(recording.value, policy, inheritedRequests) : recording;
    return run.ok ? { whatIf: run.value } : toWord(run.error);
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return toWord(cause);
    return { code: "crashed", message: cause instanceof Error ? cause.message : String(cause) };
  }
}

function toWord({ code, message, fix }: PalimpsestError): WhatIfWord {
  return { code, message, ...(fix !== undefined && { fix }) };
}

parentPort?.postMessage(await answer());
