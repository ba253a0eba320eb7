import { describe, expect, it, onTestFinished } from "vitest";
import { type LivePlay, playLive } from "../../packages/palimpsest/src/surfaces/cli/demo/live/play-live.ts";
import { emptyDemo } from "../../packages/palimpsest/src/surfaces/cli/demo/state/demo-state.ts";
import { createStyle } from "../../packages/palimpsest/src/surfaces/terminal/style.ts";
import { createVirtualClock } from "../../packages/testing/src/index.ts";
import { growingState, layerEvent, scene, stageOf } from "../support/demo-session.ts";
import { createVirtualTerminal } from "../tui/virtual-terminal.ts";

const scenes = Array.from({ length: 40 }, (_, index) =>
  scene(index % 10 === 0 ? `Prompt ${index}` : undefined),
);
const whole = growingState(40, [layerEvent(3), layerEvent(20)]);
const title = /^A session$/m;

interface Played extends Partial<LivePlay> {
  readonly columns?: number;
  readonly rows?: number;
}

function play({ columns = 80, rows = 24, ...parts }: Played = {}) {
  const terminal = createVirtualTerminal(columns, rows);
  const clock = createVirtualClock();
  const { stdin, stdout } = terminal;
  const stopping = new AbortController();
  terminal.stdout.write("before\n");
  const end = playLive({
    stage: stageOf(scenes),
    state: () => whole,
    ended: Promise.resolve(),
    stdin,
    stdout,
    style: createStyle(true),
    clock,
    signal: stopping.signal,
    ...parts,
  }).then(
    () => "played",
    (error: { readonly code: string }) => error.code,
  );
  onTestFinished(async () => {
    stopping.abort();
    await end;
  });
  return { terminal, clock, end, stopping };
}

/** The terminal is as it was: its own screen, a cursor, and lines that are read whole. */
async function expectGivenBack(terminal: ReturnType<typeof createVirtualTerminal>): Promise<void> {
  expect(terminal.isRaw).toBe(false);
  expect(terminal.written.endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
  expect(await terminal.screen()).toBe("before");
  expect(await terminal.cursor()).toEqual({ x: 0, y: 1 });
  expect(terminal.stdin.listenerCount("data")).toBe(0);
  expect(terminal.stdout.listenerCount("resize")).toBe(0);
}

describe("the live view of the demo", () => {
  it("plays the whole session in 15 to 25 s, calmly, and gives the terminal back", async () => {
    const { terminal, clock, end } = play();
    await terminal.until(title);
    expect(terminal.isRaw).toBe(true);
    const before = terminal.writes;
    await clock.advance(1_000);
    expect(terminal.writes - before).toBeLessThanOrEqual(15);
    expect(await terminal.screen()).toMatch(/request {6}\d of 40/);
    await clock.advance(13_000);
    expect(await terminal.screen()).not.toContain("40 of 40");
    await clock.advance(11_000);
    expect(await end).toBe("played");
    await expectGivenBack(terminal);
  });

  it("shows at the end what both runs have come to", async () => {
    const { terminal, clock } = play({ ended: new Promise(() => {}) });
    await terminal.until(title);
    await clock.advance(20_000);
    const screen = await terminal.screen();
    expect(screen).toMatch(/^with .* 20k +\$4\.00 +1$/m);
    expect(screen).toMatch(/^without .* 400k +\$20\.00 +0$/m);
    expect(screen).toContain("comparing policies: 2 of 8");
    expect(await terminal.colourOf("██")).toBe(1);
  });

  it("goes to the end when a key is pressed", async () => {
    const { terminal, clock, end } = play();
    await terminal.until(title);
    terminal.type("q");
    await clock.advance(100);
    expect(await end).toBe("played");
    await expectGivenBack(terminal);
  });

  it("stops at Ctrl+C and gives the terminal back", async () => {
    const { terminal, clock, end } = play();
    await terminal.until(title);
    terminal.type("\u0003");
    await clock.advance(100);
    expect(await end).toBe("aborted");
    await expectGivenBack(terminal);
  });

  it("stops when the process is asked to", async () => {
    const { terminal, end, stopping } = play();
    await terminal.until(title);
    stopping.abort();
    expect(await end).toBe("aborted");
    await expectGivenBack(terminal);
  });

  it("gives the terminal back when the runs fail", async () => {
    const { terminal, clock, end } = play({
      state: () => emptyDemo,
      ended: Promise.reject(new Error("broken")),
    });
    await clock.advance(2_000);
    expect(await end).toBe("played");
    await expectGivenBack(terminal);
  });

  it("says what it waits for, and goes on when more is known", async () => {
    let state = emptyDemo;
    const { terminal, clock } = play({ state: () => state, ended: new Promise(() => {}) });
    await terminal.until(/reading the session/);
    await clock.advance(5_000);
    expect(await terminal.screen()).toContain("0 of 40");
    state = { ...growingState(2), compared: 0 };
    await clock.advance(2_000);
    expect(await terminal.screen()).toContain("2 of 40");
  });

  it("draws anew, within the screen, when its size changes", async () => {
    const { terminal, clock } = play({ columns: 200, rows: 50, ended: new Promise(() => {}) });
    await terminal.until(title);
    await clock.advance(3_000);
    for (const [columns, rows] of [
      [80, 24],
      [50, 12],
      [120, 40],
    ] as const) {
      terminal.resize(columns, rows);
      await clock.advance(100);
      const lines = (await terminal.screen()).split("\n");
      expect(lines[0]).toBe("A session");
      expect(lines.at(-1)).toBe("any key: to the end · Ctrl+C: stop");
      expect(lines).toHaveLength(rows);
    }
  });

  it("goes without keys where the input is no terminal", async () => {
    const { terminal, clock, end } = play({ stdin: { isTTY: false } as NodeJS.ReadStream });
    await terminal.until(title);
    expect(terminal.isRaw).toBe(false);
    await clock.advance(25_000);
    expect(await end).toBe("played");
  });
});
