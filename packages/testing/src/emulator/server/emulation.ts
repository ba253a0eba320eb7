import type { Clock, Ids } from "@palimpsest/core/spec";
import { createVirtualIds } from "../../virtual-ids.ts";
import { createPromptCache, type PromptCache } from "../cache/prompt-cache.ts";
import { minCachedTokens } from "../chat/measure-chat.ts";
import { datedName } from "../dated-names.ts";
import type { EmulatedModels, FoundModel } from "../emulated-models.ts";
import type { AnswerModel } from "../emulator.ts";
import { type RunningScript, runScript } from "../script/run-script.ts";
import type { Script } from "../script/script.ts";
import { defaultSecret } from "../thinking/seal.ts";
import { type AnswerMemory, createAnswerMemory } from "./answer-memory.ts";
import { createThreads, type Threads } from "./threads.ts";

/** Everything that requests change, in one place: a new one is a new emulator. */
export interface Emulation {
  readonly clock: Clock;
  readonly models: EmulatedModels;
  /** What an answer calls its model; absent: it does not say. */
  answeredName(asked: string, found: FoundModel): string | undefined;
  /** Signs thinking: what another emulator signed with another secret is forged here. */
  readonly secret: string;
  readonly ids: Ids;
  readonly cache: PromptCache;
  /** Of chat completions: nothing is shared with messages. */
  readonly chatCache: PromptCache;
  /** Keys that are good; any when absent. */
  readonly keys: readonly string[] | undefined;
  readonly memory: AnswerMemory;
  readonly threads: Threads;
  script: RunningScript;
  /** How many there were of a kind, this one counted. */
  count(kind: string): number;
}

export interface EmulationOptions {
  readonly clock: Clock;
  readonly models: EmulatedModels;
  readonly seed: string;
  readonly script: Script | undefined;
  readonly keys: readonly string[] | undefined;
  readonly answerModel: string | AnswerModel | undefined;
}

export function createEmulation(options: EmulationOptions): Emulation {
  const { clock, models, seed, script, keys, answerModel } = options;
  const counts = new Map<string, number>();
  const minimumPrefix = (model: string) => models.find(model)?.capabilities.minCachedPrefix ?? 0;
  return {
    clock,
    models,
    answeredName(asked, { model }) {
      if (answerModel === undefined) return datedName(model.id);
      return typeof answerModel === "string" ? answerModel : answerModel(asked);
    },
    secret: `${defaultSecret}${seed}`,
    ids: createVirtualIds(seed),
    cache: createPromptCache({ clock, minimumPrefix }),
    chatCache: createPromptCache({ clock, minimumPrefix: () => minCachedTokens }),
    keys,
    memory: createAnswerMemory(),
    threads: createThreads(),
    script: runScript(script),
    count(kind) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count;
    },
  };
}
