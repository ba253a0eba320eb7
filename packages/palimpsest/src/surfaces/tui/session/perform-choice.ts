import type { ChoicePurpose } from "../state/dialog.ts";
import type { ChatContext } from "./create-chat.ts";
import { readPast } from "./read-past.ts";

/** Does what was chosen from a list. */
export async function performChoice(scene: ChatContext, purpose: ChoicePurpose, id: string): Promise<void> {
  switch (purpose) {
    case "resume":
      return scene.open({ id });
    case "model":
      return switchModel(scene, id);
    case "stop":
      return scene.stop(id);
    case "rewind":
      return rewind(scene, Number(id));
  }
}

/** The same session, opened with another model: the log keeps which one answered what. */
export async function switchModel(scene: ChatContext, name: string): Promise<void> {
  const model = await scene.doors.checkModel(name);
  const { id } = scene.session();
  await scene.open({ id, model });
  scene.dispatch({
    type: "show",
    part: { kind: "note", level: "info", text: `From here on ${model} answers.` },
  });
}

/** Back to before a prompt, which stands at the prompt again. */
async function rewind(scene: ChatContext, at: number): Promise<void> {
  const session = scene.session();
  const { prompts } = await readPast(session.entries(), scene.doors.dollars);
  const prompt = prompts[at];
  if (prompt?.before === undefined) return;
  await session.rewind(prompt.before);
  scene.measure();
  scene.dispatch({
    type: "show",
    part: {
      kind: "note",
      level: "info",
      text: "Gone back: the model does not see what came after it. Ctrl+O still has it.",
    },
  });
  scene.dispatch({ type: "write", text: prompt.text });
}
