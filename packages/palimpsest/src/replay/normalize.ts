import { createHash } from "node:crypto";
import { createCatalog } from "@palimpsest/core/catalog";
import { askedModelAfter, roleOf } from "@palimpsest/core/internal";
import {
  type ContentBlock,
  type Entry,
  isBlock,
  type Message,
  type MessageEntry,
} from "@palimpsest/core/spec";
import type {
  RecordedMessage,
  RecordedRequest,
  RecordedResponse,
  RecordedSession,
  RecordedStep,
} from "./recorded-session.ts";

interface OpenRequest {
  readonly segment: number;
  readonly before: readonly RecordedStep[];
  readonly clearedResults: readonly string[];
  readonly isResumed: boolean;
  readonly model: string;
  readonly entries: MessageEntry[];
}

/**
 * The requests of a recorded session's main conversation. Entries with one message id are one response, however many
 * lines it was written in; results written between them belong to the next request, as they were sent. A synthetic
 * response is what the recorded harness writes when it is started again.
 */
export function normalize(entries: readonly Entry[], name: string): RecordedSession {
  const requests: RecordedRequest[] = [];
  const answered = new Set<string>();
  let before: RecordedStep[] = [];
  let clearedResults: string[] = [];
  let isResumed = false;
  let segment = 0;
  let asked: string | undefined;
  let open: OpenRequest | null = null;
  const header = entries.find((entry) => entry.kind === "session");

  function finish(): void {
    if (!open) return;
    requests.push(toRequest(open, requests.length));
    open = null;
  }

  function respond(entry: MessageEntry): void {
    const responseId = entry.message.responseId ?? entry.id;
    if (open && responseIdOf(open) === responseId) {
      open.entries.push(entry);
      return;
    }
    if (answered.has(responseId)) {
      before.push(...toStep(entry, "assistant"));
      return;
    }
    finish();
    answered.add(responseId);
    const model = modelOf(asked, entry.message.model);
    open = { segment, before, clearedResults, isResumed, model, entries: [entry] };
    before = [];
    clearedResults = [];
    isResumed = false;
  }

  for (const entry of entries) {
    asked = askedModelAfter(entry, asked);
    if (entry.kind === "decision" && entry.decision.type === "compact") {
      finish();
      segment += 1;
      clearedResults = [];
      before.push({ kind: "boundary", id: entry.id, decision: entry.decision, atMs: Date.parse(entry.at) });
    } else if (entry.kind === "decision" && entry.decision.type === "clear")
      clearedResults.push(...entry.decision.parts.map(({ toolUseId }) => toolUseId));
    if (entry.kind !== "message") continue;
    const role = roleOf(entry.message);
    if (role === null) continue;
    if (role === "assistant" && entry.message.model !== "<synthetic>") respond(entry);
    else before.push(...toStep(entry, role));
    isResumed ||= role === "assistant" && entry.message.model === "<synthetic>";
  }
  finish();
  return {
    id: header?.kind === "session" ? header.session.id : name,
    name,
    ...(header?.kind === "session" && header.session.cwd !== undefined && { cwd: header.session.cwd }),
    requests,
    hasAttachments: entries.some((entry) => entry.kind === "message" && entry.message.type === "attachment"),
    contentDigest: digestOf(requests),
  };
}

const catalog = createCatalog();

/** The model asked; where it was asked by a name that the catalog does not know, the one that answered. */
function modelOf(asked: string | undefined, answered: string | undefined): string {
  const names = [asked, answered].filter((name) => name !== undefined);
  return names.find((name) => catalog.prices(name).known) ?? names[0] ?? "unknown";
}

function responseIdOf({ entries }: OpenRequest): string | undefined {
  const [first] = entries;
  return first?.message.responseId ?? first?.id;
}

function toRequest(open: OpenRequest, index: number): RecordedRequest {
  const { entries, ...rest } = open;
  const { before } = rest;
  const response = toResponse(entries);
  const usage = entries.map(({ message }) => message.usage).findLast((one) => one !== undefined);
  const sentMs = Math.min(before.at(-1)?.atMs ?? response.atMs, response.atMs);
  const head = { ...rest, index, sentMs, response };
  return usage ? { ...head, usage } : head;
}

function toResponse(entries: readonly MessageEntry[]): RecordedResponse {
  const [first] = entries as readonly [MessageEntry, ...MessageEntry[]];
  const last = entries.at(-1) ?? first;
  const stopReason = entries.map(({ message }) => message.stopReason).findLast((one) => one != null);
  return {
    id: first.id,
    responseId: first.message.responseId ?? first.id,
    content: entries.flatMap(({ message }) => blocksOf(message)),
    ...(stopReason !== undefined && { stopReason }),
    atMs: Date.parse(first.at),
    endMs: Date.parse(last.at),
  };
}

/** Attachments are wrapped as the projection wraps them: they read as data, not as the user's word. */
function toStep(entry: MessageEntry, role: RecordedMessage["role"]): readonly RecordedMessage[] {
  const { message, id } = entry;
  const content = blocksOf(message);
  if (content.length === 0) return [];
  const { isMeta, isCompactSummary } = message;
  const flags = {
    ...((isMeta || message.type === "attachment") && { isMeta: true }),
    ...(isCompactSummary && { isCompactSummary }),
  };
  return [{ kind: "message", id, role, content, flags, atMs: Date.parse(entry.at) }];
}

function blocksOf({ content, type, subtype = "unknown" }: Message): readonly ContentBlock[] {
  if (typeof content === "string" && content === "") return [];
  const blocks: readonly ContentBlock[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (type !== "attachment") return blocks;
  return blocks.map((block) =>
    isBlock(block, "text")
      ? { ...block, text: `<attachment type="${subtype}">\n${block.text}\n</attachment>` }
      : block,
  );
}

/** Without what publishing took out of transcripts: signatures and images. */
function digestOf(requests: readonly RecordedRequest[]): string {
  const hash = createHash("sha256");
  for (const { response } of requests) {
    hash.update(`\n${response.responseId}`);
    for (const block of response.content) {
      if (isBlock(block, "text")) hash.update(block.text);
      if (isBlock(block, "tool_use")) hash.update(JSON.stringify([block.name, block.input]));
    }
  }
  return hash.digest("hex");
}
