import type { ChoicePurpose } from "../state/dialog.ts";
import type { ChatContext } from "./create-chat.ts";
import { readPast } from "./read-past.ts";

/** Does what was chosen from a list. */
export async function performChoice(context: ChatContext, purpose: ChoicePurpose, id: string): Promise<void> {
  switch (purpose) {
    case "resume":
      return context.open({ id });
    case "model":
      return switchModel(context, id);
    case "stop":
      return context.stop(id);
    case "rewind":
      return rewind(context, Number(id));
  }
}

/** The same session, opened with another model: the log keeps which one answered what. */
export async function switchModel(context: ChatContext, name: string): Promise<void> {
  const model = await context.doors.checkModel(name);
  const { id } = context.session();
  await context.open({ id, model });
  context.dispatch({
    type: "show",
    part: { kind: "note", level: "info", text: `Model changed to ${model}.` },
  });
}

/** Back to before a prompt, which stands at the prompt again. */
async function rewind(context: ChatContext, at: number): Promise<void> {
  const session = context.session();
  const { prompts } = await readPast(session.entries(), context.doors.dollars);
  const prompt = prompts[at];
  if (prompt?.before === undefined) return;
  await session.rewind(prompt.before);
  context.measure();
  context.dispatch({
    type: "show",
    part: {
      kind: "note",
      level: "info",
      text: "Rewound: the model no longer sees later messages. Ctrl+O still shows them.",
    },
  });
  context.dispatch({ type: "write", text: prompt.text });
}
