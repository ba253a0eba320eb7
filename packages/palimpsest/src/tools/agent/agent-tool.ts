import { firstChars } from "@palimpsest/core/internal";
import type {
  AgentDefinition,
  AgentRequest,
  AgentStatus,
  Result,
  Tool,
  ToolContext,
  ToolOutcome,
} from "@palimpsest/core/spec";
import type { BackgroundTask } from "../shell/index.ts";

/** An agent that was begun. */
export interface AgentTask extends BackgroundTask {
  status(): AgentStatus;
  /** Its answer, as the result of the call that began it. */
  result(): string;
  /** Something it should hear after the round of tools it is in; `false`: it has ended. */
  tell(text: string): boolean;
}

/** Who begins agents. */
export interface AgentPort {
  /** Resolves once it has begun; a refusal is a failure that says what to do instead. */
  start(request: AgentRequest, context: ToolContext): Promise<Result<AgentTask>>;
}

export interface AgentToolOptions {
  readonly port: AgentPort;
  /** Agents that somebody has defined: they are part of the description, and so of the prefix. */
  readonly agents: readonly AgentDefinition[];
}

/** Characters of the list of defined agents, and of what it says about one. */
const maxListingChars = 4_000;
const descriptionChars = 200;

interface AgentInput {
  readonly description: string;
  readonly prompt: string;
  readonly agent?: string;
  readonly name?: string;
  readonly background?: boolean;
  readonly isolation?: "worktree";
}

const about =
  "Gives a part of the work to an agent and hands back its answer. “general” begins afresh and knows only the prompt: say all it needs. “fork” knows this whole conversation, at the price of the prompt alone: say only what to do. Several calls in one answer work side by side. With background you go on at once, and its answer comes as a notice: do not poll; TaskStop ends it. With isolation “worktree” it works on a copy of the repository, kept if it changed something.";

export function createAgentTool({ port, agents }: AgentToolOptions): Tool {
  return {
    name: "Agent",
    description: [about, ...listing(agents)].join("\n"),
    input_schema: {
      type: "object",
      properties: {
        description: {
          type: "string",
          minLength: 1,
          maxLength: 100,
          description: "What it is to do, in 3 to 5 words.",
        },
        prompt: { type: "string", minLength: 1, maxLength: 200_000, description: "The work itself." },
        agent: {
          type: "string",
          maxLength: 64,
          description: "“general” unless given, “fork”, or the name of a defined agent.",
        },
        name: {
          type: "string",
          pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$",
          description: "What others call it.",
        },
        background: { type: "boolean", description: "Do not wait for it." },
        isolation: { type: "string", enum: ["worktree"], description: "Work in a git worktree of its own." },
      },
      required: ["description", "prompt"],
      additionalProperties: false,
    },
    isConcurrent: true,
    async run(input, context) {
      const request = toRequest(input as AgentInput);
      const started = await port.start(request, context);
      if (!started.ok) return refusalOutcome(started.error);
      return request.isBackground ? startedOutcome(started.value) : awaitOutcome(started.value);
    },
  };
}

function toRequest({ agent, name, background, isolation, ...rest }: AgentInput): AgentRequest {
  return {
    ...rest,
    agent: agent ?? "general",
    ...(name !== undefined && { name }),
    isBackground: background === true,
    isIsolated: isolation === "worktree",
  };
}

function refusalOutcome({ message, fix }: { readonly message: string; readonly fix?: string }): ToolOutcome {
  return { content: [message, fix].filter(Boolean).join(" "), isError: true };
}

function startedOutcome(task: AgentTask): ToolOutcome {
  const { id, name } = task.status();
  const called = name === id ? "" : `, called ${name},`;
  return {
    content: `The agent ${id}${called} works in the background. Its answer will come as a notice. TaskOutput says how far it is, TaskStop ends it.`,
  };
}

async function awaitOutcome(task: AgentTask): Promise<ToolOutcome> {
  await task.ended;
  task.markTold();
  return { content: task.result(), ...(task.status().state !== "done" && { isError: true }) };
}

function listing(agents: readonly AgentDefinition[]): readonly string[] {
  if (agents.length === 0) return [];
  const lines = ["Defined agents, which begin afresh too:"];
  let chars = 0;
  for (const { name, description } of agents) {
    const line = `- ${name}: ${firstChars(description, descriptionChars)}`;
    chars += line.length + 1;
    if (chars > maxListingChars) break;
    lines.push(line);
  }
  const rest = agents.slice(lines.length - 1).map(({ name }) => name);
  return rest.length === 0 ? lines : [...lines, `And: ${firstChars(rest.join(", "), maxListingChars)}`];
}
