import { agentNumbers } from "../../packages/core/src/layers/7-agents/rules/index.ts";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import type { SessionHandle } from "../../packages/core/src/session/loop-port.ts";
import type {
  AgentDefinition,
  Event,
  Session,
  Store,
  TreeBudget,
} from "../../packages/core/src/spec/index.ts";
import { createSummarize } from "../../packages/palimpsest/src/loop/agents/create-summarize.ts";
import {
  type AgentTree,
  type AgentTreeOptions,
  createAgentTree,
} from "../../packages/palimpsest/src/loop/agents/index.ts";
import { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import { createAgentTool } from "../../packages/palimpsest/src/tools/agent/index.ts";
import { createVirtualClock, createVirtualDisk, type Script } from "../../packages/testing/src/index.ts";
import { modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { createVirtualStore } from "../support/virtual-store.ts";
import { echo, keep } from "./fork-support.ts";

type Options = NonNullable<Parameters<typeof openAgent>[0]>;

export interface TreeStage {
  readonly script: Script;
  readonly budget?: Partial<TreeBudget>;
  readonly agents?: readonly AgentDefinition[];
  readonly tree?: Partial<AgentTreeOptions>;
  /** A model says how far agents are. */
  readonly hasSummaries?: boolean;
  readonly session?: Partial<Options>;
}

/** A session with an Agent tool on a virtual disk, and its agents. */
export async function openTree({
  script,
  budget,
  agents = [],
  tree: more,
  session: given,
  hasSummaries = false,
}: TreeStage) {
  const { emulator } = await emulate({ script });
  const disk = createVirtualDisk();
  const store: Store = createVirtualStore({ disk });
  const clock = createVirtualClock();
  const events: Event[] = [];
  const model = modelAt(emulator);
  let handle: SessionHandle | null = null;
  const tree: AgentTree = createAgentTree({
    clock,
    ids: createRuntime().ids,
    budget: { ...agentNumbers, ...budget },
    agents,
    handle: () => handle,
    open: ({ id, mode, definition }) =>
      openSession({
        store,
        id,
        model,
        clock,
        mode,
        layers: [],
        system: definition?.prompt ?? "You are a general agent.",
        tools: [echo, keep, tool],
        notices: () => [tree.noticesFor(id)],
        onEvent: (event) => events.push(event),
      }),
    ...(hasSummaries && {
      summarize: createSummarize({
        own: model,
        wanted: undefined,
        environment: {},
        clock,
        handle: () => handle,
      }),
    }),
    ...more,
  });
  const tool = createAgentTool({ port: tree, agents });
  const session: Session = await openAgent({
    model,
    store,
    clock,
    tools: [echo, keep, tool],
    onEvent: (event) => events.push(event),
    notices(context) {
      handle = context.handle;
      return [tree.noticesFor(context.handle.session.id)];
    },
    onClose: () => tree.close(),
    ...given,
  });
  return { emulator, session, tree, clock, disk, store, events };
}
