import type { MemoryEvidence, MemoryType, UserMessageRecord } from "../../spec/index.ts";
import { findSupport } from "./find-support.ts";
import { isImperative, isImperativePath } from "./is-imperative.ts";
import { isRecalled, type Taint, type Trust } from "./locations.ts";

/** A memory before it is written. */
export interface MemoryDraft {
  readonly type: MemoryType;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Where it is to stand: indexes show it. */
  readonly path?: string;
  /** The rest of its front matter, comments too. */
  readonly more?: string;
  /** Entries that it says it came from; absent: it does not say. */
  readonly entries?: readonly string[];
}

export interface MemoryVerdict {
  readonly verdict: "accept" | "quarantine";
  readonly trust: Trust;
  /** For a person. */
  readonly reason: string;
  /** The user's message that supports it, where it needs one and has one. */
  readonly source?: string;
}

const ownedTypes: ReadonlySet<MemoryType> = new Set<MemoryType>(["user", "feedback"]);

/**
 * Whether a memory is kept, or waits in quarantine for a person. What is about the user needs their words; what was
 * written in sight of untrusted content must not ask for anything. Facts pass, with their label.
 */
export function judgeMemory(draft: MemoryDraft, { taint, userMessages }: MemoryEvidence): MemoryVerdict {
  const { trust } = taint;
  const { path = "", name, description, more = "", body } = draft;
  const whole = [name, description, more, body].join("\n");
  const quarantine = (reason: string): MemoryVerdict => ({ verdict: "quarantine", trust, reason });
  if (isRecalled(whole)) return quarantine("It repeats text that was recalled from memory.");
  const support = ownedTypes.has(draft.type) ? supportOf(draft, userMessages) : undefined;
  if (support === null) {
    return quarantine(`Nothing the user said supports it, and a memory of type ${draft.type} needs that.`);
  }
  if (trust === "untrusted" && (isImperative(whole) || isImperativePath(path))) {
    return quarantine(
      `It asks for something, and was written in sight of untrusted content${nameCause(taint)}.`,
    );
  }
  const reason =
    trust === "trusted"
      ? "Nothing untrusted was in view when it was written."
      : `A statement, written in sight of untrusted content${nameCause(taint)}.`;
  return { verdict: "accept", trust, reason, ...(support && { source: support.entry }) };
}

/** The memory's statement must be in the user's words; why it matters and how to apply it may be the writer's. */
function supportOf({ description, body, entries }: MemoryDraft, messages: readonly UserMessageRecord[]) {
  const named = entries && new Set(entries);
  const sources = named ? messages.filter(({ entry }) => named.has(entry)) : messages;
  const [statement = ""] = body.split(/^\s*\*\*(?:why|how to apply)\b/im, 1);
  return findSupport(statement.trim() === "" ? description : statement, sources);
}

const maxNamed = 3;

/** The cause, where it is known. */
function nameCause({ because }: Taint): string {
  if (because.length === 0) return "";
  const names = [
    ...new Set(because.map(({ kind, name }) => (name === undefined ? kind : `${kind} (${name})`))),
  ];
  const more = names.length - maxNamed;
  return `: ${names.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
