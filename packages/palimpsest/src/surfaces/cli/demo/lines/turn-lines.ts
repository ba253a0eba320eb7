import { cutText, padText } from "../../fit-text.ts";
import { formatDuration } from "../../format-time.ts";
import { toHarmless } from "../../harmless.ts";
import type { Style } from "../../style.ts";
import { paintTokens, type Stage } from "../live/stage.ts";
import type { DemoState } from "../state/demo-state.ts";
import { formatTokens } from "./format-demo.ts";

interface Turn {
  readonly prompt: string;
  readonly idleMs: number;
  readonly requests: number;
  /** Number of its last request, from 0. */
  readonly last: number;
}

/** After a pause longer than this the prompt cache is cold. */
const cacheMs = 5 * 60 * 1000;
/** Number, requests, the two contexts, and the spaces between them. */
const otherColumns = 33;

/** What the user asked, and the context that each request of the user ended with. */
export function turnLines(stage: Stage, state: DemoState, columns: number, style: Style): readonly string[] {
  const textColumns = Math.max(1, columns - otherColumns);
  const row = (cells: readonly [string, string, string, string, string], paint = (text: string) => text) => {
    const [number, text, requests, without, within] = cells;
    const head = `  ${padText(number, 3, "right")}  ${padText(cutText(text, textColumns), textColumns)}  ${padText(requests, 8, "right")}`;
    return `${head}  ${paint(padText(without, 7, "right"))}  ${padText(within, 5, "right")}`;
  };
  const lines = toTurns(stage).flatMap(({ prompt, idleMs, requests, last }, index) => {
    const without = state.identity[last]?.tokens ?? 0;
    const pause = `       … ${formatDuration(idleMs)} later: the cache is cold`;
    const cells = [
      String(index + 1),
      toHarmless(prompt),
      String(requests),
      formatTokens(without),
      formatTokens(state.engine[last]?.tokens ?? 0),
    ] as const;
    return [
      ...(idleMs > cacheMs ? [style.dim(pause)] : []),
      row(cells, paintTokens(stage.thresholds, without, style)),
    ];
  });
  return [style.dim(row(["#", "the user asks", "requests", "without", "with"])), ...lines];
}

/** A prompt that was not answered ends with the request before it. */
function toTurns({ scenes }: Stage): readonly Turn[] {
  const begun = scenes.flatMap(({ prompts, idleMs }, first) =>
    prompts.map((prompt, at) => ({ prompt, first, idleMs: at === 0 ? idleMs : 0 })),
  );
  return begun.map(({ prompt, first, idleMs }, at) => {
    const end = begun[at + 1]?.first ?? scenes.length;
    return { prompt, idleMs, requests: end - first, last: Math.max(0, end - 1) };
  });
}
