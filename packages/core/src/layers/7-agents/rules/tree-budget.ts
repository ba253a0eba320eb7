import { type AgentSpend, isBlock, type TreeBudget, type Usage, type ViewItem } from "../../../spec/index.ts";

export const nothingSpentByAgent: AgentSpend = {
  requests: 0,
  toolCalls: 0,
  usage: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 },
  dollars: 0,
};

export function withAgentResponse(spend: AgentSpend, used: Usage, dollars: number): AgentSpend {
  const { usage } = spend;
  return {
    ...spend,
    requests: spend.requests + 1,
    usage: {
      input: usage.input + used.input,
      output: usage.output + used.output,
      cacheRead: usage.cacheRead + used.cacheRead,
      cacheCreation: usage.cacheCreation + used.cacheCreation,
    },
    dollars: spend.dollars + dollars,
  };
}

/** Input and output together, cached parts counted. */
export function tokensOfUsage({ input, output, cacheRead, cacheCreation }: Usage): number {
  return input + output + cacheRead + cacheCreation;
}

/** Resources used by all agents below one session together. */
export interface TreeUse {
  readonly begun: number;
  readonly running: number;
  readonly tokens: number;
  readonly dollars: number;
  /** In which at least one was at work. */
  readonly activeMs: number;
  /** Of all sessions, today. */
  readonly dayDollars: number;
}

/** Why all agents have to end, as a sentence; `null` where they may go on. */
export function decideTreeStop(use: TreeUse, budget: TreeBudget): string | null {
  if (use.tokens >= budget.maxTokens)
    return `The agents of this session have used up ${use.tokens} of ${budget.maxTokens} tokens (agents.maxTokens).`;
  if (use.dollars >= budget.maxDollars)
    return `The agents of this session have spent $${use.dollars.toFixed(4)} of $${budget.maxDollars} (agents.maxDollars).`;
  if (use.activeMs >= budget.maxMs)
    return `The agents of this session have worked for ${Math.round(use.activeMs)} of ${budget.maxMs} ms (agents.maxMs).`;
  if (use.dayDollars >= budget.maxDayDollars)
    return `The agents of all sessions have spent $${use.dayDollars.toFixed(4)} of $${budget.maxDayDollars} today (agents.maxDayDollars).`;
  return null;
}

/** Why one more agent at this depth may not begin, as a sentence; `null` where it may. */
export function decideAgentStart(use: TreeUse, depth: number, budget: TreeBudget): string | null {
  const stop = decideTreeStop(use, budget);
  if (stop !== null) return stop;
  if (depth > budget.maxDepth)
    return `Agents may be ${budget.maxDepth} deep, and this one would be at ${depth} (agents.maxDepth).`;
  if (use.begun >= budget.maxAgents)
    return `${use.begun} agents were begun in this session, and no more may be (agents.maxAgents).`;
  if (use.running >= budget.maxRunning)
    return `${use.running} agents are at work, and no more may be at once (agents.maxRunning). Wait for one to end, or stop one.`;
  return null;
}

/** The beginning of every fork's directive: it says to the model what it is, and to the Agent tool whom it serves. */
export const forkMarker = "<fork-of-this-conversation>";

/** The notice for an agent that ended before it had read everything. */
export const moreCame =
  "Something came for you before you had ended; it stands above. Do what follows from it for your work, and answer with what is new: what you answered before is handed back as well.";

/** A fork's directive. Only the end, behind the marker's, differs from fork to fork of one message. */
export function toForkDirective(
  task: string,
  names?: { readonly name: string; readonly parent: string },
): string {
  const called = names
    ? ` (Others call you ${names.name}, and this conversation ${names.parent}: SendMessage reaches them.)`
    : "";
  return [
    forkMarker,
    "You are a fork of the conversation above, which goes on without you. You know all of it, and you are given one part of the work. Do that part yourself, with the tools you have; you cannot fork again. Do not ask, and do not talk about being a fork. At the end answer with what was found or done, short and complete: only this answer is handed back.",
    "</fork-of-this-conversation>",
    `${task}${called}`,
  ].join("\n");
}

/** Whether a conversation is a fork's: a directive with the marker is in it, at the beginning of a user's block. */
export function hasForkMarker(items: readonly Pick<ViewItem, "role" | "block">[]): boolean {
  return items.some(
    ({ role, block }) => role === "user" && isBlock(block, "text") && block.text.startsWith(forkMarker),
  );
}
