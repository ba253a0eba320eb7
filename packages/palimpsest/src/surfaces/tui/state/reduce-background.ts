import type { AgentStatus } from "@palimpsest/core/spec";
import { addNote } from "./add-part.ts";
import type { Background, BackgroundCommand, ChatState } from "./chat-state.ts";

/** Takes in how agents and commands are now. Of what has ended meanwhile the person is told. */
export function reduceBackground(state: ChatState, background: Background): ChatState {
  const { agents, commands } = state.background;
  const endedAgents = background.agents
    .filter((agent) => isTheSessions(state, agent) && agent.state !== "running")
    .filter(({ id }) => !agents.some((known) => known.id === id && known.state !== "running"));
  const endedCommands = background.commands
    .filter(({ isRunning }) => !isRunning)
    .filter(({ id }) => !commands.some((known) => known.id === id && !known.isRunning));
  const texts = [...endedAgents.map(agentText), ...endedCommands.map(commandText)];
  return texts.reduce((told: ChatState, text) => addNote(told, "info", `${text} ${whenHeard(state)}`), {
    ...state,
    background,
  });
}

export function reduceMail(
  state: ChatState,
  { from, summary }: { readonly from: string; readonly summary?: string },
): ChatState {
  const name = state.background.agents.find(({ session }) => session === from)?.name ?? from;
  const about = summary === undefined ? "" : ` (“${summary}”)`;
  return addNote(state, "info", `Mail from ${name}${about}. ${whenHeard(state)}`);
}

/** What others have begun, or wait for, is told to them. */
function isTheSessions({ session }: ChatState, { isBackground, parent }: AgentStatus): boolean {
  return isBackground && parent === session?.id;
}

function agentText({ name, description, state, reason }: AgentStatus): string {
  const how = { done: "is done", failed: "has failed", stopped: "was stopped", running: "" }[state];
  return `Agent ${name} (${description}) ${how}${reason === undefined ? "." : `: ${reason}`}`;
}

function commandText({ title, outcome = "" }: BackgroundCommand): string {
  return `The command ${title} has ended: ${outcome}.`;
}

function whenHeard({ run }: ChatState): string {
  return run
    ? "The model is told after this round, or with your next prompt."
    : "The model is told with your next prompt.";
}
