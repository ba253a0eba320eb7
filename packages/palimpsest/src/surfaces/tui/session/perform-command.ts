import { PalimpsestError } from "@palimpsest/core/spec";
import { formatCount, formatNumber } from "../../cli/format-amount.ts";
import { createStyle } from "../../cli/style.ts";
import { contextPicture } from "../../terminal/context-picture.ts";
import type { CommandName } from "../state/commands.ts";
import type { PanelName } from "./chat-doors.ts";
import type { ChatScene } from "./create-chat.ts";
import { costLines, helpLines } from "./panel-lines.ts";
import { switchModel } from "./perform-choice.ts";
import { readPast } from "./read-past.ts";
import { stoppable, taskLines } from "./task-lines.ts";
import { undoNewest } from "./undo-newest.ts";

type Perform = (scene: ChatScene, rest: string) => Promise<void> | void;

/** Does what a line with a slash asks for. What fails is thrown, and told. */
export async function performCommand(scene: ChatScene, name: CommandName, rest: string): Promise<void> {
  await performers[name](scene, rest);
}

const panel = (title: string, linesOf: (scene: ChatScene) => readonly string[]): Perform => {
  return (scene) => scene.dispatch({ type: "show", part: { kind: "panel", title, lines: linesOf(scene) } });
};

/** What the rest of the program shows, in here. */
const borrowed = (name: PanelName, title: string): Perform => {
  return (scene) =>
    scene.work(title, async (signal) => {
      const { size, session } = scene.state();
      const step = (text: string) => scene.dispatch({ type: "work-step", step: text });
      const lines = await scene.doors.panel(name, {
        columns: size.columns,
        model: session?.model ?? "",
        signal,
        step,
      });
      scene.dispatch({ type: "show", part: { kind: "panel", title, lines } });
    });
};

const note = ({ dispatch }: ChatScene, text: string) =>
  dispatch({ type: "show", part: { kind: "note", level: "info", text } });

const performers: Readonly<Record<CommandName, Perform>> = {
  help: panel("Keys and commands", (scene) => helpLines(scene.state().size.columns)),
  cost: panel("Cost", (scene) => costLines(scene.state().cost)),
  tasks,
  context: panel("Context", contextLines),
  memory: borrowed("memory", "Memory"),
  config: borrowed("config", "Settings"),
  hooks: borrowed("hooks", "Hooks"),
  dream: borrowed("dream", "Dream"),
  quit: () => undefined,
  compact,
  async undo(scene, rest) {
    const session = scene.session();
    const { tokensBefore, tokensAfter } = await (rest === "" ? undoNewest(session) : session.undo(rest));
    scene.measure();
    note(scene, `Undone: ${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens.`);
  },
  async snip(scene) {
    const { rounds, freedTokens } = await scene.session().snip();
    scene.measure();
    note(
      scene,
      rounds === 0
        ? "Nothing was taken out: every round is new or referred to by a later one."
        : `Took out ${formatNumber(rounds, "round")}, about ${formatCount(freedTokens)} tokens; /undo takes it back, Ctrl+O has them.`,
    );
  },
  async clear(scene) {
    const { id } = scene.session();
    await scene.open({ isCleared: true });
    note(scene, `A new session. The one before is kept: /resume ${id}`);
  },
  async resume(scene, rest) {
    if (rest !== "") return scene.open({ id: await scene.doors.findSession(rest) });
    const items = await scene.doors.sessions();
    if (items.length === 0) return note(scene, "This project has no other session.");
    scene.dispatch({ type: "offer", purpose: "resume", title: "Which session?", items });
  },
  async rewind(scene) {
    const { prompts } = await readPast(scene.session().entries(), scene.doors.dollars);
    if (prompts.length === 0) return note(scene, "There is nothing to go back to.");
    const items = prompts.map(({ text }, at) => ({ id: String(at), label: text })).reverse();
    scene.dispatch({ type: "offer", purpose: "rewind", title: "Back to before which prompt?", items });
  },
  async model(scene, rest) {
    if (rest !== "") return switchModel(scene, rest);
    const title = "Which model? Others by name: /model NAME";
    const items = await scene.doors.models(scene.state().session?.model ?? "");
    scene.dispatch({ type: "offer", purpose: "model", title, items });
  },
};

/** What goes on; what of it the person can end is offered. */
function tasks(scene: ChatScene): void {
  scene.look();
  const { state, doors } = scene;
  const lines = taskLines(state(), doors.logPath);
  scene.dispatch({ type: "show", part: { kind: "panel", title: "Background tasks", lines } });
  const items = stoppable(state());
  if (items.length > 0) scene.dispatch({ type: "offer", purpose: "stop", title: "Stop one of them?", items });
}

function contextLines(scene: ChatScene): readonly string[] {
  const { accounting, count, thresholds, percentLeft } = scene.session().usage();
  const { columns } = scene.state().size;
  const style = createStyle(scene.isColoured);
  return [
    `${formatCount(count.tokens)} of ${formatCount(thresholds.window)} tokens, counted by ${count.source}; ${percentLeft} % left before compaction`,
    "",
    ...contextPicture(accounting, { columns, style: style.red("x") === "x" ? "plain" : "colour" }),
  ];
}

/** What came of it is told by the session's events; where it never began, by its error. */
async function compact(scene: ChatScene, rest: string): Promise<void> {
  const before = scene.state().parts.length;
  await scene.work("Compacting", async (signal) => {
    try {
      await scene.session().compact(rest === "" ? {} : { instructions: rest }, { signal });
    } catch (cause) {
      const isTold = scene.state().parts.length > before;
      if (!PalimpsestError.isInstance(cause) || !isTold) throw cause;
    }
  });
  scene.measure();
}
