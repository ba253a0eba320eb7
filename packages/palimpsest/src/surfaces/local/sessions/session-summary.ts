import {
  addUsage,
  askedModelAfter,
  type ImportProblem,
  notesHeadline,
  noUsage,
} from "@palimpsest/core/internal";
import type { Entry, LogDamage, Message, Usage } from "@palimpsest/core/spec";
import { promptText } from "./entry-text.ts";
import type { TranscriptReport } from "./read-transcript.ts";

/** The facts in a transcript's entries, whoever wrote it. */
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

interface SummaryWriter {
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

/** Something in a transcript that is not an entry in force, and where it stands. */
export interface Damage {
  readonly kind: LogDamage["kind"] | ImportProblem["kind"];
  readonly line?: number;
  readonly offset?: number;
  readonly bytes?: number;
  readonly reason: string;
}

/**
 * A transcript in numbers: the same for our own logs and for foreign ones.
 * - `torn`: 1 if the last line is unfinished.
 * - `corrupt`: lines nothing can be read from.
 * - `skipped`: lines that can be read and are not in force. In our own logs: those of a writer that was fenced off.
 * - `unknownTypes`: lines of a kind this version has no name for, by kind. They are not among the skipped.
 * - `usage`: each response counted once, its last entry that has usage.
 */
export interface TranscriptSummary {
  readonly format: string;
  readonly entries: number;
  /** Of the user and of the model. */
  readonly messages: number;
  readonly toolResults: number;
  /** Compactions. */
  readonly boundaries: number;
  readonly torn: number;
  readonly corrupt: number;
  readonly skipped: number;
  readonly unknownTypes: Readonly<Record<string, number>>;
  readonly responses: number;
  readonly usage: Usage;
  readonly userMessages: number;
  readonly assistantMessages: number;
  readonly attachments: number;
  /** Decisions of the engine, by type. */
  readonly decisions: Readonly<Record<string, number>>;
  readonly fenced: number;
  readonly salvaged: number;
  readonly tornBytes: number;
  readonly duplicates: number;
  readonly unsignedThinking: number;
  readonly sidechainLines: number;
  readonly otherTypes: Readonly<Record<string, number>>;
  readonly redactions: number;
  /** The first of them. */
  readonly damages: readonly Damage[];
}

export function summarise(report: TranscriptReport, found: EntrySummary): TranscriptSummary {
  return "log" in report ? summariseLog(report, found) : summariseImport(report, found);
}

function summariseLog(
  { log, gzipDamage }: Extract<TranscriptReport, { format: "palimpsest" }>,
  found: EntrySummary,
): TranscriptSummary {
  const torn: readonly Damage[] =
    log.tornBytes === 0
      ? []
      : [{ kind: "torn", offset: log.end, bytes: log.tornBytes, reason: "the last line is not finished" }];
  const gzip: readonly Damage[] = gzipDamage === null ? [] : [{ kind: "gzip", reason: gzipDamage }];
  return {
    format: "palimpsest",
    entries: log.entries,
    messages: found.userMessages + found.assistantMessages,
    toolResults: found.toolResults,
    boundaries: found.boundaries,
    torn: log.tornBytes > 0 ? 1 : 0,
    corrupt: log.corruptLines,
    skipped: log.fencedLines,
    unknownTypes: log.unknownKinds,
    responses: found.responses,
    usage: found.usage,
    userMessages: found.userMessages,
    assistantMessages: found.assistantMessages,
    attachments: found.attachments,
    decisions: found.decisions,
    fenced: log.fencedLines,
    salvaged: log.salvaged,
    tornBytes: log.tornBytes,
    duplicates: 0,
    unsignedThinking: 0,
    sidechainLines: 0,
    otherTypes: {},
    redactions: found.redactions,
    damages: [...log.damages, ...torn, ...gzip],
  };
}

function summariseImport(
  { format, imported }: Exclude<TranscriptReport, { format: "palimpsest" }>,
  found: EntrySummary,
): TranscriptSummary {
  return {
    format,
    entries: imported.entries,
    messages: imported.messages,
    toolResults: imported.toolResults,
    boundaries: imported.boundaries,
    torn: imported.torn,
    corrupt: imported.corrupt,
    skipped: imported.skipped,
    unknownTypes: imported.unknownTypes,
    responses: found.responses,
    usage: found.usage,
    userMessages: imported.userMessages,
    assistantMessages: imported.assistantMessages,
    attachments: imported.attachments,
    decisions: found.decisions,
    fenced: 0,
    salvaged: 0,
    tornBytes: imported.problems.find(({ kind }) => kind === "torn")?.bytes ?? 0,
    duplicates: imported.duplicates,
    unsignedThinking: imported.unsignedThinking,
    sidechainLines: imported.sidechainLines,
    otherTypes: imported.otherTypes,
    redactions: 0,
    damages: imported.problems,
  };
}
