import { addUsage, askedModelAfter, notesHeadline, noUsage } from "@palimpsest/core/internal";
import type { Entry, Message, Usage } from "@palimpsest/core/spec";
import { promptText } from "./entry-text.ts";

/** What the entries of a transcript say, whoever wrote it. */
export interface EntrySummary {
  readonly session?: string;
  readonly project?: string;
  readonly cwd?: string;
  readonly parent?: { readonly session: string; readonly seq: number };
  readonly title?: string;
  /** Where the work stands, as the session's notes have it. */
  readonly state?: string;
  readonly firstPrompt?: string;
  /** The model that the session asks; of a transcript, the newest that answered. */
  readonly model?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly userMessages: number;
  readonly assistantMessages: number;
  readonly attachments: number;
  readonly toolResults: number;
  readonly boundaries: number;
  readonly responses: number;
  readonly usage: Usage;
  readonly decisions: Readonly<Record<string, number>>;
  readonly redactions: number;
}

export interface SummaryWriter {
  visit(entry: Entry): void;
  summary(): EntrySummary;
}

/** Messages that a program made, not a model: no response, as the lines of sub-agents are none of the session's. */
const noModel = "<synthetic>";

export function createSummaryWriter(): SummaryWriter {
  const about: { -readonly [Field in keyof EntrySummary]?: EntrySummary[Field] } = {};
  const counts = { user: 0, assistant: 0, attachment: 0, toolResults: 0, redactions: 0 };
  const decisions = new Map<string, number>();
  const usageByResponse = new Map<string, Usage>();
  let namelessResponses = 0;
  let asked: string | undefined;

  function visitMessage(message: Message): void {
    if (message.type === "user" || message.type === "assistant" || message.type === "attachment") {
      counts[message.type] += 1;
    }
    if (Array.isArray(message.content)) {
      counts.toolResults += message.content.filter((block) => block.type === "tool_result").length;
    }
    about.firstPrompt ??= promptText(message);
    if (message.type !== "assistant" || message.isSidechain || message.model === noModel) return;
    if (message.model !== undefined) about.model = message.model;
    const response = message.responseId ?? `nameless ${namelessResponses++}`;
    usageByResponse.set(response, message.usage ?? usageByResponse.get(response) ?? noUsage);
  }

  return {
    visit(entry) {
      asked = askedModelAfter(entry, asked);
      about.startedAt ??= entry.at;
      about.endedAt = entry.at;
      if (entry.kind === "session") {
        const { id, project, cwd, model, parent } = entry.session;
        Object.assign(about, { session: id, project, cwd, parent });
        about.model ??= model;
      } else if (entry.kind === "message") visitMessage(entry.message);
      else if (entry.kind === "decision") {
        decisions.set(entry.decision.type, (decisions.get(entry.decision.type) ?? 0) + 1);
      } else if (entry.kind === "note" && entry.note.topic === "title") about.title = entry.note.title;
      else if (entry.kind === "note" && entry.note.topic === "notes")
        Object.assign(about, notesHeadline(entry.note.text));
      else if (entry.kind === "note" && entry.note.topic === "redacted") counts.redactions += 1;
    },
    summary: () => ({
      ...about,
      ...(asked !== undefined && { model: asked }),
      userMessages: counts.user,
      assistantMessages: counts.assistant,
      attachments: counts.attachment,
      toolResults: counts.toolResults,
      boundaries: decisions.get("compact") ?? 0,
      responses: usageByResponse.size,
      usage: [...usageByResponse.values()].reduce(addUsage, noUsage),
      decisions: Object.fromEntries(decisions),
      redactions: counts.redactions,
    }),
  };
}
