import { type Entry, type EntryDraft, fail, ok, type Result, type SessionBody } from "../../spec/index.ts";
import { checkEntry } from "../../view/projection/sound-entry.ts";
import { soundMessage } from "../../view/projection/sound-message.ts";

/** What a layer made, if it can be appended; a log must never hold what nobody can read. */
export function checkDrafts(drafts: unknown): Result<readonly EntryDraft[]> {
  if (!Array.isArray(drafts)) return refused("it gave no list of drafts");
  for (const [index, draft] of drafts.entries()) {
    const fault = draftFault(draft);
    if (fault !== null) return refused(`draft ${index} ${fault}`);
  }
  return ok(drafts.map(bodyOf));
}

/** What a draft may say; everything else about an entry is the engine's to say. */
function bodyOf(draft: Exclude<EntryDraft, SessionBody>): EntryDraft {
  const { id, at } = draft;
  const head = { ...(id !== undefined && { id }), ...(at !== undefined && { at }) };
  switch (draft.kind) {
    case "message": {
      const { kind, message, parent } = draft;
      return { kind, ...head, message, ...(parent !== undefined && { parent }) };
    }
    case "decision":
      return { kind: draft.kind, ...head, decision: draft.decision };
    case "note":
      return { kind: draft.kind, ...head, note: draft.note };
  }
}

function draftFault(draft: unknown): string | null {
  if (typeof draft !== "object" || draft === null) return "is no object";
  const { kind, id, at, message, note } = draft as Record<string, unknown>;
  if (at !== undefined && !isTime(at)) return "has a time that is none";
  if (id !== undefined && (typeof id !== "string" || id === "")) return "has an id that is none";
  if (kind === "message") return isObject(message) && isSoundMessage(message) ? null : "has no message";
  if (kind === "decision")
    return checkEntry(draft as Entry) === draft ? null : "has no decision of a known kind";
  return kind === "note" && isObject(note) ? null : "is of no kind that a layer may append";
}

function isSoundMessage(message: object): boolean {
  const { type } = message as { readonly type?: unknown };
  return typeof type === "string" && soundMessage(message as Parameters<typeof soundMessage>[0]) === message;
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function refused(what: string): Result<never> {
  return fail("invalid-input", `What the layer made was not appended: ${what}.`, {
    fix: "This is a fault of the layer.",
  });
}
