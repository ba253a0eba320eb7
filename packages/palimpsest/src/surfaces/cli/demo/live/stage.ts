import { createCatalog } from "@palimpsest/core/catalog";
import { computeThresholds, judgeUsage, type WindowThresholds } from "@palimpsest/core/internal";
import type { Style } from "../../../terminal/style.ts";
import type { Sample } from "../load-sample.ts";
import { type Scene, toScenes } from "../scenes.ts";

/** The part that stays the same while a session is played. */
export interface Stage {
  readonly title: string;
  readonly model: string;
  /** Where the recorded agent worked. */
  readonly folder: string;
  readonly scenes: readonly Scene[];
  readonly thresholds: WindowThresholds;
  /** The largest context as it was recorded. */
  readonly peakTokens: number;
}

export function createStage({ story, session }: Sample): Stage {
  const { contextWindow: window, maxOutput } = createCatalog().capabilities(story.model).value;
  return {
    title: story.title,
    model: story.model,
    folder: session.cwd ?? "/",
    scenes: toScenes(session),
    thresholds: computeThresholds({ window, maxOutput, autoEnabled: true }),
    peakTokens: Math.max(window, ...story.contextTokens),
  };
}

/** Green while there is room, red where the window is nearly full or too small. */
export function paintTokens(thresholds: WindowThresholds, tokens: number, style: Style): Style["red"] {
  const { isWarning, isError, isBlocking } = judgeUsage(thresholds, tokens);
  if (isError || isBlocking) return style.red;
  return isWarning ? style.yellow : style.green;
}
