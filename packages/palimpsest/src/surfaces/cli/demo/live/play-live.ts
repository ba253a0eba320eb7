import { type Clock, fail } from "@palimpsest/core/spec";
import type { Style } from "../../../terminal/style.ts";
import { playedPolicies } from "../runs/demo-policies.ts";
import {
  advance,
  type DemoState,
  dwellMs,
  knownRequests,
  momentAt,
  type Playhead,
} from "../state/demo-state.ts";
import { type FrameSize, frameLines } from "./frame-lines.ts";
import type { Stage } from "./stage.ts";

export interface LivePlay {
  readonly stage: Stage;
  /** The current state. */
  readonly state: () => DemoState;
  /** Settles when nothing more comes. */
  readonly ended: Promise<unknown>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly style: Style;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** At most 15 frames a second. */
const frameMs = 70;
/** The whole picture stays this long before the report takes its place. */
const lastMs = 1_500;
/** From here on it is no longer played but caught up with: a slow machine has taken the time already. */
const maxPlayMs = 25_000;

/** Plays the session until all of it was shown and everything is known; throws `aborted` where the person stops it. */
export async function playLive(play: LivePlay): Promise<void> {
  const { stage, state, clock, style, signal } = play;
  const { scenes } = stage;
  const stopping = new AbortController();
  const stop = AbortSignal.any([signal, stopping.signal]);
  let wake = new AbortController();
  let isSkipped = false;
  let isEnded = false;
  let playhead: Playhead = { passed: 0, restMs: 0 };
  const rouse = () => wake.abort();
  const screen = openLiveScreen({
    stdin: play.stdin,
    stdout: play.stdout,
    onKey() {
      isSkipped = true;
      rouse();
    },
    onInterrupt() {
      stopping.abort();
    },
  });
  stop.addEventListener("abort", rouse);
  const over = () => {
    isEnded = true;
    rouse();
  };
  play.ended.then(over, over);

  async function pause(ms: number): Promise<void> {
    wake = new AbortController();
    await clock.sleep(ms, wake.signal);
  }

  const startedMs = clock.monotonic();
  let formerMs = startedMs;
  try {
    while (!stop.aborted) {
      const nowMs = clock.monotonic();
      const known = knownRequests(state());
      const isLate = isSkipped || nowMs - startedMs > maxPlayMs;
      playhead = isLate
        ? { passed: known, restMs: 0 }
        : advance(playhead, nowMs - formerMs, known, (index) => dwellMs(scenes, state(), index));
      formerMs = nowMs;
      const isPlayed = playhead.passed === scenes.length || (isEnded && playhead.passed === known);
      const moment = momentAt(scenes, state(), playhead.passed);
      screen.draw(frameLines(moment, stage, footer(state(), isPlayed, isSkipped), screen.size, style));
      if (isEnded && isPlayed) break;
      await pause(frameMs);
    }
    if (!isSkipped && !stop.aborted) await pause(lastMs);
  } finally {
    stop.removeEventListener("abort", rouse);
    screen.leave();
  }
  if (stop.aborted) throw fail("aborted", "The demo was interrupted.").error;
}

function footer(state: DemoState, isPlayed: boolean, isSkipped: boolean): string {
  if (knownRequests(state) === 0) return "reading the session · Ctrl+C: stop";
  if (!isPlayed && !isSkipped) return "any key: to the end · Ctrl+C: stop";
  return `comparing policies: ${state.compared} of ${playedPolicies.length} · Ctrl+C: stop`;
}

/** The terminal while a live view has it: a screen of its own, so that what stood there before comes back. */
interface LiveScreen {
  readonly size: FrameSize;
  /** Draws only what is not there already. */
  draw(lines: readonly string[]): void;
  /** Gives the terminal back as it was; can be called more than once. */
  leave(): void;
}

interface LiveScreenOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly onKey: () => void;
  readonly onInterrupt: () => void;
}

const enter = "\u001b[?1049h\u001b[?25l";
const leave = "\u001b[?25h\u001b[?1049l";
const home = "\u001b[H";
const clearLine = "\u001b[K";
const clearBelow = "\u001b[J";
/** A terminal that knows it shows everything up to the second at once. */
const begin = "\u001b[?2026h";
const end = "\u001b[?2026l";
const interruptKey = "\u0003";

function openLiveScreen({ stdin, stdout, onKey, onInterrupt }: LiveScreenOptions): LiveScreen {
  const hasKeys = stdin.isTTY === true;
  let drawn = "";
  let isOpen = true;

  const hear = (chunk: Buffer | string) => {
    if (chunk.toString().includes(interruptKey)) onInterrupt();
    else onKey();
  };
  const forget = () => {
    drawn = "";
  };

  stdout.write(enter);
  stdout.on("resize", forget);
  if (hasKeys) {
    stdin.setRawMode(true);
    stdin.on("data", hear).resume();
  }
  return {
    get size() {
      return { columns: Math.max(1, stdout.columns || 80), rows: Math.max(1, stdout.rows || 24) };
    },
    draw(lines) {
      const text = lines.map((line) => `${line}${clearLine}`).join("\r\n");
      if (!isOpen || text === drawn) return;
      drawn = text;
      stdout.write(`${begin}${home}${text}${clearBelow}${end}`);
    },
    leave() {
      if (!isOpen) return;
      isOpen = false;
      stdout.off("resize", forget);
      if (hasKeys) {
        stdin.off("data", hear).pause();
        stdin.setRawMode(false);
      }
      stdout.write(leave);
    },
  };
}
