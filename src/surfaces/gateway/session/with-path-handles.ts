import { type Decision, type EntryDraft, type Layer, type Message, ok } from "../../../spec/index.ts";

/**
 * A layer whose texts name no tool that the client does not have: what was taken out is named by the file it is in.
 * Changed before anything is recorded, so that what is sent stays what the log says.
 */
export function withPathHandles<Command>(layer: Layer<Command>, logPath: string): Layer<Command> {
  return {
    ...layer,
    async apply(command, io, signal) {
      const applied = await layer.apply(command, io, signal);
      return applied.ok ? ok(applied.value.map((draft) => withPaths(draft, logPath))) : applied;
    },
  };
}

function withPaths(draft: EntryDraft, logPath: string): EntryDraft {
  if (draft.kind !== "decision") return draft;
  return { ...draft, decision: decisionWithPaths(draft.decision, logPath) };
}

function decisionWithPaths(decision: Decision, logPath: string): Decision {
  if (decision.type === "offload") {
    const results = decision.results.map((result) =>
      result.preview === null ? result : { ...result, preview: previewWithPath(result.preview, logPath) },
    );
    return { ...decision, results };
  }
  if (decision.type === "clear") {
    const parts = decision.parts.map((part) => ({ ...part, label: labelWithPath(part.label, logPath) }));
    return { ...decision, parts };
  }
  if (decision.type !== "compact") return decision;
  const attachments = decision.attachments.map((one) => messageWithPath(one, logPath));
  const { summary } = decision;
  return { ...decision, attachments, ...(summary && { summary: messageWithPath(summary, logPath) }) };
}

function previewWithPath(preview: string, logPath: string): string {
  return preview
    .replace(/, or Recall with the id [\w-]+(?=\.)/, "")
    .replace(/Recall with the id ([\w-]+)/, `Look for $1 in ${logPath}`);
}

function labelWithPath(label: string, logPath: string): string {
  return label.replace(/ · recall ([\w-]+)$/, ` · $1 in ${logPath}`);
}

function messageWithPath(message: Message, logPath: string): Message {
  const change = (text: string) =>
    text
      .replace(
        "Recall gives back anything it names by an id, word for word.",
        `Everything it stands for is in ${logPath}, word for word, under the ids it names.`,
      )
      .replace(/ · recall /g, " · ");
  const { content } = message;
  if (typeof content === "string") return { ...message, content: change(content) };
  const blocks = content.map((block) =>
    block.type === "text" && "text" in block ? { ...block, text: change(String(block.text)) } : block,
  );
  return { ...message, content: blocks };
}
