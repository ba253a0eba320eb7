import { parentPort, workerData } from "node:worker_threads";
import { prepareRecording } from "../../../replay/index.ts";
import { orThrow } from "../../local/or-throw.ts";
import { loadSample } from "./load-sample.ts";
import type { DemoWord } from "./runs/demo-policies.ts";
import { playPolicy } from "./runs/play-policy.ts";

/** The start data of a thread. */
export interface DemoWorkerStart {
  readonly file: string;
}

const { file } = workerData as DemoWorkerStart;
const postWord = (word: DemoWord) => parentPort?.postMessage(word);
const { session } = orThrow(await loadSample(file, new AbortController().signal));
const recording = prepareRecording(session);

parentPort?.on("message", (policy: string) => {
  playPolicy({ recording, policy, tell: postWord }).catch((cause: unknown) =>
    postWord({ word: "failed", message: cause instanceof Error ? cause.message : String(cause) }),
  );
});
