import { type ContentBlock, type EntryDraft, isBlock, type Message } from "../../../spec/index.ts";
import type { OwnSecretMask } from "./create-own-mask.ts";

/**
 * An entry before it is appended, without own keys in what came from outside: results of tools, attachments, what a
 * compaction brings back, what failures say. What the user and the model say stays as they said it, calls too: a mask
 * there would change the conversation, and thinking must come back to the byte.
 */
export function maskDraft(draft: EntryDraft, mask: OwnSecretMask): EntryDraft {
  switch (draft.kind) {
    case "message": {
      const message = maskMessage(draft.message, mask);
      return message === draft.message ? draft : { ...draft, message };
    }
    case "decision": {
      const { decision } = draft;
      if (decision.type !== "compact") return draft;
      const { attachments, modelFailure } = decision;
      const restored = changed(decision, "attachments", mask.value(attachments));
      const masked = changed(restored, "modelFailure", mask.value(modelFailure));
      return masked === decision ? draft : { ...draft, decision: masked };
    }
    case "note": {
      const note = draft.note.topic === "extraction" ? mask.value(draft.note) : draft.note;
      return note === draft.note ? draft : { ...draft, note };
    }
    default:
      return draft;
  }
}

function maskMessage(message: Message, mask: OwnSecretMask): Message {
  const { type, content } = message;
  if (type === "attachment") return changed(message, "content", mask.value(content));
  if (type !== "user" || typeof content === "string") return message;
  const masked = content.map((block) => maskResult(block, mask));
  return masked.some((block, at) => block !== content[at]) ? { ...message, content: masked } : message;
}

function maskResult(block: ContentBlock, mask: OwnSecretMask): ContentBlock {
  return isBlock(block, "tool_result") ? mask.value(block) : block;
}

/** The very same object where the field is. */
function changed<T extends object, Name extends keyof T>(whole: T, name: Name, value: T[Name]): T {
  return whole[name] === value ? whole : { ...whole, [name]: value };
}
