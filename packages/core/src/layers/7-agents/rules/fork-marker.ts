import { isBlock, type ViewItem } from "../../../spec/index.ts";

/** What every directive of a fork begins with: it says to the model what it is, and to the Agent tool whom it serves. */
export const forkMarker = "<fork-of-this-conversation>";

/** What an agent is told that was done before it had heard everything. */
export const moreCame =
  "Something came for you before you had ended; it stands above. Do what follows from it for your work, and answer with what is new: what you answered before is handed back as well.";

/** What a fork is told. Only the end, behind the marker's, differs from fork to fork of one message. */
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
