import { createToolResultsLayer } from "../../packages/core/src/layers/1-tool-results/index.ts";
import { openSession, type SessionOptions } from "../../packages/core/src/session/open-session.ts";
import type {
  ContentBlock,
  DecisionEntry,
  Event,
  ModelRequest,
  Session,
  ToolResultBlock,
} from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { createVirtualStore, virtualHome, virtualProject } from "./virtual-store.ts";

/** A call and what it brings. */
export interface Answer {
  readonly id: string;
  readonly tool?: string;
  readonly input?: unknown;
  readonly content?: string | readonly ContentBlock[];
  readonly isError?: boolean;
}

export interface ToolSession {
  readonly session: Session;
  readonly events: readonly Event[];
  readonly disk: VirtualDisk;
  /** Opens the session once more, as the next process would. */
  resume(options?: SessionOptions): Promise<ToolSession>;
}

/** The tool that reads back what was taken out: texts name it where there is one. */
export const recall = { name: "Recall", input_schema: { type: "object" } };

/** A session with layer 1 on a virtual disk, and with a tool to recall. */
export async function openToolSession(
  options: SessionOptions = {},
  disk: VirtualDisk = createVirtualDisk(),
): Promise<ToolSession> {
  const clock = createVirtualClock();
  const events: Event[] = [];
  const session = await openSession({
    store: createVirtualStore({ disk, clock }),
    clock,
    id: "one",
    onEvent: (event) => events.push(event),
    layers: [createToolResultsLayer()],
    ...(!options.resume && { tools: [recall] }),
    ...options,
  });
  return {
    session,
    events,
    disk,
    async resume(more = {}) {
      await session.close();
      return openToolSession({ ...more, resume: true }, disk);
    },
  };
}

let responses = 0;

/** A response that makes the calls, and one message with all their results. */
export async function addRound(session: Session, answers: readonly Answer[]): Promise<void> {
  responses += 1;
  const calls = answers.map(({ id, tool = "Bash", input = { command: id } }) => ({
    type: "tool_use",
    id,
    name: tool,
    input,
  }));
  await session.add({ role: "assistant", id: `msg_${responses}`, content: calls });
  await session.add({ role: "user", content: answers.map(toBlock) });
}

export function toBlock({ id, content, isError }: Answer): ToolResultBlock {
  return {
    type: "tool_result",
    tool_use_id: id,
    ...(content !== undefined && { content }),
    ...(isError && { is_error: true }),
  };
}

/** The results of a request as they are sent, by tool use, without cache markers. */
export function sentResults(request: ModelRequest): Readonly<Record<string, ToolResultBlock["content"]>> {
  const results = request.messages.flatMap(({ content }) =>
    content.filter((block): block is ToolResultBlock => block.type === "tool_result"),
  );
  return Object.fromEntries(results.map(({ tool_use_id: id, content }) => [id, content]));
}

/** The offload decisions in a session's log, in order. */
export async function offloads(session: Session): Promise<readonly DecisionEntry[]> {
  const found: DecisionEntry[] = [];
  for await (const entry of session.entries())
    if (entry.kind === "decision" && entry.decision.type === "offload") found.push(entry);
  return found;
}

/** A session that has sent its first request. */
export async function beginToolSession(
  options: SessionOptions = {},
  disk = createVirtualDisk(),
): Promise<ToolSession> {
  const opened = await openToolSession(options, disk);
  await opened.session.add({ role: "user", content: "Go." });
  await opened.session.prepare();
  return opened;
}

/** What the model sees of some results that come in one round. */
export async function seenResults(
  answers: readonly Answer[],
  options: SessionOptions = {},
  disk = createVirtualDisk(),
) {
  const { session, events } = await beginToolSession(options, disk);
  await addRound(session, answers);
  const results = sentResults((await session.prepare()).request);
  await session.close();
  return { results, events };
}

/** What each offload decision says of each result. */
export async function frozenChoices(session: Session): Promise<readonly (readonly string[])[]> {
  return (await offloads(session)).map(({ decision }) =>
    decision.type === "offload"
      ? decision.results.map(
          ({ toolUseId, preview }) => `${toolUseId} ${preview === null ? "whole" : "replaced"}`,
        )
      : [],
  );
}

/** So many lines, each with its number. */
export function numberedLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index}\n`).join("");
}

/** Where the session's results lie. */
export const resultsFolder = `${virtualHome}/projects/${virtualProject}/tool-results/one`;
