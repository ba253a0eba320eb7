import {
  askedModelAfter,
  categories,
  createProjection,
  isFreezeOnly,
  promptTokens,
  readAppliedEdits,
  roleOf,
  validEntry,
} from "@palimpsest/core/internal";
import type { DecisionEntry, Entry, MessageEntry, Prices, SessionHead, Usage } from "@palimpsest/core/spec";
import { promptText } from "../../local/sessions/entry-text.ts";
import type { InspectedSession, SessionMark } from "../inspected.ts";
import { decideBreak, type RequestFacts } from "./decide-break.ts";
import { systemItems, toolItems, unrecordedHead } from "./head-items.ts";
import { createItemRegister, type RegisteredItem } from "./item-register.ts";
import type { DescribeModel } from "./opened-session.ts";
import { createRequestLog } from "./request-log.ts";
import { createSessionOverview } from "./session-overview.ts";
import { decisionText, toMark, type WaitingMark } from "./to-mark.ts";
import { createViewTrack } from "./view-track.ts";

/** A reader's facts about a session; where it is kept and who writes it, others know. */
export type ReadSession = Omit<InspectedSession, "id" | "project" | "isLive" | "damage">;

/**
 * Entries in, what the page shows out, kept up to date entry by entry: a request costs what is new in its view. Pure.
 * It holds no texts but those that decisions put into views.
 */
export interface SessionReader {
  /**
   * Takes the next entry, large values written out. A number: the entries behind it must be read again and given to
   * `rebuild` before the next one is taken. Inherited entries are those of a fork's parent: they are in its views, and
   * their requests are not its own.
   */
  take(entry: Entry, isInherited?: boolean): number | null;
  rebuild(entries: Iterable<Entry>): void;
  /** Everything behind these numbers of requests, items and marks. */
  since(from: ReadSession["from"]): ReadSession;
  /** The item whose text is read. */
  itemAt(number: number): RegisteredItem | undefined;
  readonly requests: number;
  /** Another one: what `since` gave before no longer holds. */
  readonly generation: number;
  /** Requests of the parent, before its own. */
  readonly inheritedRequests: number;
}

/** The smallest and the largest factor by which a usage may correct an estimate. */
const factors = { smallest: 1 / 3, largest: 3 } as const;

export function createSessionReader(describe: DescribeModel): SessionReader {
  const projection = createProjection();
  const register = createItemRegister();
  const track = createViewTrack(projection, register);
  const log = createRequestLog();
  const about = createSessionOverview();
  const marks: SessionMark[] = [];
  const answered = new Set<string>();
  const head: { system: readonly number[]; tools: readonly number[] } = { system: [], tools: [] };
  let waiting: WaitingMark[] = [];
  let decisions: string[] = [];
  let hasNewHead = false;
  let hasHead = false;
  let turn = 0;
  let inheritedRequests = 0;
  let settledItems = 0;
  let givenRequests = 0;
  let generation = 1;
  let openResponse: string | null = null;
  let lastSentMs = 0;
  let asked: string | undefined;
  let model: string | null = null;
  let former: RequestFacts | null = null;
  let newest: {
    facts: RequestFacts;
    readonly answered: string | undefined;
    readonly decisions: readonly string[];
    readonly hasNewHead: boolean;
  } | null = null;

  function takeHead({ system, tools }: SessionHead, seq: number, isFirst: boolean): void {
    const put = (items: readonly RegisteredItem[]) => items.map(register.add);
    if (system !== undefined) head.system = put(systemItems(system, seq));
    if (tools !== undefined) head.tools = put(toolItems(tools, seq));
    if (system === undefined && tools === undefined) return;
    hasHead = head.system.length + head.tools.length > 0;
    hasNewHead ||= !isFirst;
    track.begin([...head.system, ...head.tools]);
  }

  function isNewResponse({ id, message }: MessageEntry): boolean {
    if (roleOf(message) !== "assistant" || message.model === "<synthetic>") return false;
    const response = message.responseId ?? id;
    if (openResponse === response || answered.has(response)) return false;
    answered.add(response);
    openResponse = response;
    return true;
  }

  /** Until a usage tells how many tokens stand before the messages, those of a transcript are not known. */
  function beginUnseen(usage: Usage | undefined): void {
    if (hasHead || !usage) return;
    hasHead = true;
    const known = track.numbers.reduce((sum, number) => sum + tokensOf(number), 0);
    const unseen = promptTokens(usage) - known;
    if (unseen > 0) track.begin([register.add(unrecordedHead(unseen))]);
  }

  const tokensOf = (number: number) => register.items[number]?.item.tokens ?? 0;
  const isUnseen = (number: number) => register.items[number]?.item.kind === "unseen";

  /** Gives new items what the prompt grew by, as far as that can be. */
  function settle(usage: Usage | undefined, added: readonly number[]): void {
    const unsettled = added.filter((number) => number >= settledItems && !isUnseen(number));
    settledItems = register.items.length;
    const estimated = unsettled.reduce((sum, number) => sum + tokensOf(number), 0);
    if (!usage || estimated === 0) return;
    const all = track.sums.reduce((sum, tokens) => sum + tokens, 0);
    const room = promptTokens(usage) - (all - estimated);
    const factor = Math.min(factors.largest, Math.max(factors.smallest, room / estimated));
    track.recount(unsettled, () => {
      for (const number of unsettled) {
        const one = register.items[number] as RegisteredItem;
        one.item = { ...one.item, tokens: Math.ceil(one.item.tokens * factor) };
      }
    });
  }

  function addRequest(entry: MessageEntry): void {
    const { message, seq } = entry;
    const usage = validUsage(message.usage);
    const at = timeOf(entry);
    track.look();
    beginUnseen(usage);
    const view = track.takeChange();
    settle(usage, view.add);
    const name = asked ?? message.model ?? model ?? "unknown";
    const facts: RequestFacts = {
      model: name,
      sentMs: Math.min(lastSentMs || at, at),
      endMs: at,
      ...(usage && { usage }),
      applied: readAppliedEdits(message.contextManagement?.applied_edits),
    };
    former = newest?.facts ?? null;
    if (model !== null && model !== name)
      waiting.push({ seq, kind: "model", text: `The model changed from ${model} to ${name}`, freed: 0 });
    model = name;
    newest = { facts, answered: message.model, decisions, hasNewHead };
    for (const mark of waiting) marks.push({ request: log.length, ...mark });
    const broken = decideBreak({ former, now: facts, decisions, hasNewHead });
    const prices = pricesOf(message.model, name);
    log.add({ at, seq, turn: Math.max(1, turn), usage, sums: track.sums, prices, broken, view });
    waiting = [];
    decisions = [];
    hasNewHead = false;
  }

  /** A model that answered in place of the one asked has its own prices where they are known. */
  function pricesOf(answered: string | undefined, name: string): Prices | null {
    return (answered ? describe(answered).prices : null) ?? describe(name).prices;
  }

  /** A response of several lines says its usage again in each; the last holds. */
  function amend(entry: MessageEntry): void {
    const usage = validUsage(entry.message.usage);
    if (!newest) return;
    const applied = readAppliedEdits(entry.message.contextManagement?.applied_edits);
    const managed = applied.key === "" ? {} : { applied };
    newest.facts = { ...newest.facts, endMs: timeOf(entry), ...(usage && { usage }), ...managed };
    if (!usage) return;
    const broken = decideBreak({ former, now: newest.facts, ...newest });
    const isChanged = log.amend(usage, pricesOf(newest.answered, newest.facts.model), broken);
    if (isChanged && givenRequests >= log.length) generation += 1;
  }

  function timeOf({ at }: Entry): number {
    const time = Date.parse(at);
    return Number.isFinite(time) ? time : lastSentMs;
  }

  function takeMessage(entry: MessageEntry, isInherited: boolean): void {
    const { message } = entry;
    if (isNewResponse(entry)) {
      if (isInherited) inheritedRequests += 1;
      else addRequest(entry);
    } else if (roleOf(message) === "assistant" && openResponse === (message.responseId ?? entry.id)) {
      if (!isInherited) amend(entry);
    } else if (roleOf(message) === "user") {
      lastSentMs = timeOf(entry);
      if (!isInherited && promptText(message) !== undefined && !hasResult(message.content)) turn += 1;
    }
  }

  /** Projects a decision; a fold or a summary is told what it stands for. */
  function takeDecision(entry: DecisionEntry): number | null {
    const { decision, id } = entry;
    if (!/^(?:fold|snip|compact)$/.test(decision.type)) return projection.add(entry);
    track.look();
    const before = [...track.numbers];
    const needs = projection.add(entry);
    track.look();
    const after = new Set(track.numbers);
    register.cover(
      id,
      before.filter((number) => !after.has(number)),
    );
    return needs;
  }

  return {
    itemAt: (number) => register.items[number],
    get requests() {
      return log.length;
    },
    get generation() {
      return generation;
    },
    get inheritedRequests() {
      return inheritedRequests;
    },
    rebuild: (entries) => projection.rebuild(entries),
    take(given, isInherited = false) {
      const entry = validEntry(given);
      about.take(entry);
      asked = askedModelAfter(entry, asked);
      register.note(entry);
      if (entry.kind === "session") takeHead(entry.session, entry.seq, true);
      if (entry.kind === "note" && entry.note.topic === "head") takeHead(entry.note, entry.seq, false);
      if (entry.kind === "message") takeMessage(entry, isInherited);
      const mark = isInherited ? null : toMark(entry);
      if (mark) waiting.push(mark);
      if (entry.kind !== "decision") return projection.add(entry);
      if (!isInherited && !isFreezeOnly(entry.decision)) decisions.push(decisionText(entry.decision));
      return takeDecision(entry);
    },
    since(from) {
      const begin = {
        request: Math.min(from.request, log.length),
        item: Math.min(from.item, settledItems),
        mark: Math.min(from.mark, marks.length),
      };
      givenRequests = Math.max(givenRequests, log.length);
      const said = about.about();
      return {
        ...said,
        generation,
        from: begin,
        window: describe(said.model).window,
        categories,
        requests: log.from(begin.request),
        items: register.items.slice(begin.item, settledItems).map(({ item }) => item),
        marks: marks.slice(begin.mark),
      };
    },
  };
}

function hasResult(content: unknown): boolean {
  return Array.isArray(content) && content.some((block) => block?.type === "tool_result");
}

/** Usage in which every number is a whole one; nothing where no prompt was counted, as in answers made locally. */
function validUsage(usage: Usage | undefined): Usage | undefined {
  if (!usage) return undefined;
  const { cacheCreation1h, cacheCreation5m } = usage;
  const sound: Usage = {
    input: count(usage.input),
    output: count(usage.output),
    cacheRead: count(usage.cacheRead),
    cacheCreation: count(usage.cacheCreation),
    ...(cacheCreation5m !== undefined && { cacheCreation5m: count(cacheCreation5m) }),
    ...(cacheCreation1h !== undefined && { cacheCreation1h: count(cacheCreation1h) }),
  };
  return promptTokens(sound) > 0 ? sound : undefined;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
