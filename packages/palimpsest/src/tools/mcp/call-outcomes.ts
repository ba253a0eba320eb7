import type { ToolOutcome } from "@palimpsest/core/spec";

interface CalledTool {
  readonly server: string;
  readonly tool: string;
  /** Whether the tool changes nothing, as its server says. */
  readonly isReadOnly: boolean;
}

const failedOutcome = (...sentences: readonly string[]): ToolOutcome => ({
  content: sentences.filter((sentence) => sentence !== "").join(" "),
  isError: true,
});

const effects = ({ isReadOnly }: CalledTool): string =>
  isReadOnly
    ? "The tool only reads, so the call can be made again."
    : "The call may have had effects: find out before you make it again.";

/** No result came, and the server may have begun. */
export function lostOutcome(called: CalledTool, why: string): ToolOutcome {
  return failedOutcome(
    `The MCP server “${called.server}” was lost during the call: ${withPeriod(why)}`,
    effects(called),
  );
}

export function stalledOutcome(called: CalledTool, stalledMs: number): ToolOutcome {
  const seconds = Math.round(stalledMs / 1000);
  return failedOutcome(
    `The MCP server “${called.server}” gave no sign of life for ${seconds} s during the call, and was given up.`,
    effects(called),
  );
}

export function abortedOutcome(called: CalledTool): ToolOutcome {
  return failedOutcome("The call was cancelled before its result came.", effects(called));
}

/** Certainly nothing has happened. */
export function notMadeOutcome({ server }: Pick<CalledTool, "server">, why: string, fix = ""): ToolOutcome {
  return failedOutcome(`The call was not made. MCP server “${server}”: ${withPeriod(why)}`, fix);
}

export function removedOutcome({ server, tool }: Pick<CalledTool, "server" | "tool">): ToolOutcome {
  return failedOutcome(
    `The call was not made: the MCP server “${server}” no longer has a tool “${tool}”.`,
    "Do without it, or use another tool.",
  );
}

/** Of a tool that the session was begun with, and no server has now. */
export function unavailableOutcome(name: string): ToolOutcome {
  return failedOutcome(
    `The call was not made: no MCP server here has ${name}.`,
    "Do without it, or use another tool.",
  );
}

function withPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
