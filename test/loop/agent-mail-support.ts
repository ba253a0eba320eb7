import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import type { Layer, Session, View } from "../../packages/core/src/spec/index.ts";
import type { AgentTree } from "../../packages/palimpsest/src/loop/agents/index.ts";
import {
  type AnswerBlock,
  callTool,
  createVirtualClock,
  type RecordedRequest,
  type Reply,
  type VirtualClock,
} from "../../packages/testing/src/index.ts";
import { entriesOf } from "../support/agent.ts";
import { useProject as openFolder, type Project, run, textOf } from "./agent-project.ts";
import { lastOf } from "./fork-support.ts";

/** What is asked of the session, or of the agent with that name. */
export const systemOf = ({ whole }: RecordedRequest) => JSON.stringify(whole?.system ?? "");
export const allOf = ({ whole }: RecordedRequest) => JSON.stringify(whole?.messages ?? "");
export const isAgent = (request: RecordedRequest) => systemOf(request).includes("begun by another");
export const isCalled = (name: string) => (request: RecordedRequest) =>
  systemOf(request).includes(`Others call you ${name};`);

export const begin = (name: string, more: object = {}): AnswerBlock =>
  callTool("Agent", { description: "a part", prompt: "Go on.", name, background: true, ...more });
export const write = (to: string, message: unknown): AnswerBlock => callTool("SendMessage", { to, message });
export const look = (): AnswerBlock => callTool("Glob", { pattern: "*.txt" });

export const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
};

type Answer = (last: string, request: RecordedRequest) => Reply | Promise<Reply>;

export interface MailProjectOptions {
  readonly root: Answer;
  /** By name. */
  readonly agents?: Readonly<Record<string, Answer>>;
  readonly fork?: Answer;
  readonly files?: Readonly<Record<string, string>>;
}

export interface MailProject extends Project {
  openRoot(id?: string, resume?: boolean): Promise<OpenRoot>;
  /** Waits until the agent of a name was asked so often. */
  hasAsked(name: string, times?: number): Promise<void>;
}

export interface OpenRoot {
  readonly session: Session;
  readonly tree: AgentTree;
  readonly clock: VirtualClock;
  view(): View;
}

const forkMarker = "<fork-of-this-conversation>";

/** A project whose session and agents each follow a script of their own. */
export async function openMailProject(options: MailProjectOptions): Promise<MailProject> {
  const { root, agents = {}, fork, files } = options;
  const project = await openFolder({
    ...(files && { files }),
    script: (request) => {
      const last = lastOf(request);
      const called = Object.keys(agents).find((name) => isCalled(name)(request));
      if (called !== undefined) return (agents[called] as Answer)(last, request);
      if (fork && allOf(request).includes(forkMarker)) return fork(last, request);
      return root(last, request);
    },
  });
  return {
    ...project,
    hasAsked: (name, times = 1) =>
      until(() => project.emulator.requests.where(isCalled(name)).length >= times),
    async openRoot(id = "one", resume = false) {
      const clock = createVirtualClock({ startMs: Date.now() });
      let tree: AgentTree | undefined;
      let seen: View | undefined;
      const spy: Layer = {
        id: "spy" as Layer["id"],
        moments: ["before-request"],
        decide(view) {
          seen = view;
          return { verdict: "skip", reason: "It only looks." };
        },
        apply: async () => ({ ok: true, value: [] }),
      };
      const session = await project.open({
        id,
        resume,
        mode: "bypass",
        clock,
        layers: [...defaultLayers(), spy],
        onAgents: (given) => {
          tree = given;
        },
      });
      return { session, tree: tree as unknown as AgentTree, clock, view: () => seen as View };
    },
  };
}

/** What came by mail, as the log has it. */
export async function mailsIn(session: Session): Promise<readonly string[]> {
  return (await entriesOf(session)).flatMap((entry) =>
    entry.kind === "message" && entry.message.subtype === "mail" ? [textOf(entry.message.content)] : [],
  );
}

/** The same, once a prompt was answered. */
export async function mailsOf(session: Session, prompt = "And now?"): Promise<readonly string[]> {
  await run(session, prompt);
  return mailsIn(session);
}
