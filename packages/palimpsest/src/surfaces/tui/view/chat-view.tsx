import { Box, Static, Text, useCursor } from "ink";
import { memo, type ReactElement } from "react";
import type { Look } from "../lines/look.ts";
import { partLines } from "../lines/part-lines.ts";
import { screenLines } from "../lines/screen-lines.ts";
import type { ChatState } from "../state/chat-state.ts";
import type { Part } from "../state/part.ts";

export interface ChatViewProps {
  readonly state: ChatState;
  readonly look: Look;
  /** The parts that are on the screen for good; they stay behind while the transcript is open. */
  readonly parts: readonly Part[];
}

/** The terminal agent's screen: what has happened above, printed once, and what goes on below. */
export function ChatView({ state, look, parts }: ChatViewProps): ReactElement {
  return (
    <>
      <Printed parts={parts} look={look} />
      <Live state={state} look={look} />
    </>
  );
}

/** Costs nothing while nothing new has happened. */
const Printed = memo(
  ({ parts, look }: Pick<ChatViewProps, "parts" | "look">) => (
    <Static items={parts as Part[]}>
      {(part) => <Text key={part.id}>{joinedLines(partLines(part, look))}</Text>}
    </Static>
  ),
  (before, after) => before.parts === after.parts,
);

function Live({ state, look }: Pick<ChatViewProps, "state" | "look">): ReactElement {
  const { lines, cursor } = screenLines(state, look);
  const { setCursorPosition } = useCursor();
  setCursorPosition(cursor ?? undefined);
  return (
    <Box flexDirection="column">
      <Text>{joinedLines(lines)}</Text>
    </Box>
  );
}

/** A line without anything in it has no height of its own. */
function joinedLines(lines: readonly string[]): string {
  return lines.map((line) => (line === "" ? " " : line)).join("\n");
}
