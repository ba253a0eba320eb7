import { splitFrontMatter } from "../memory/read-front-matter.ts";
import { type ContentBlock, type Entry, isBlock, type Taint } from "../spec/index.ts";
import { emptyTaint, nextTaint, type TaintState, type TrustLocations, toTaint } from "../view/trust/index.ts";

/** Which files are trusted, and which tool shows memories. */
export interface SessionTrustLocations extends TrustLocations {
  /** The tool whose results are worth what the memories they show say of themselves; absent: none is. */
  readonly memoryTool?: string;
}

/**
 * As `nextTaint`, but for the agent's own memory tool: a memory that was trusted when it was written, or that a person
 * has confirmed, stays so when it is shown. Untrusted ones taint a session by the index already. Total.
 */
export function nextSessionTaint(
  state: TaintState,
  entry: Entry,
  locations: SessionTrustLocations,
): TaintState {
  const { memoryTool } = locations;
  if (memoryTool === undefined || entry.kind !== "message" || entry.message.type !== "user")
    return nextTaint(state, entry, locations);
  const { content } = entry.message;
  if (!Array.isArray(content)) return nextTaint(state, entry, locations);
  const isTrusted = (block: ContentBlock) =>
    isBlock(block, "tool_result") &&
    state.calls.get(block.tool_use_id)?.tool === memoryTool &&
    typeof block.content === "string" &&
    isTrustedAnswer(block.content);
  const blocks = content as readonly ContentBlock[];
  const trusted = blocks.filter(isTrusted);
  if (trusted.length === 0) return nextTaint(state, entry, locations);
  const calls = new Map(state.calls);
  for (const block of trusted) if (isBlock(block, "tool_result")) calls.delete(block.tool_use_id);
  const rest = blocks.filter((block) => !trusted.includes(block));
  const message = { ...entry.message, content: rest };
  return nextTaint({ ...state, calls }, { ...entry, message }, locations);
}

const fileHead = "Here's the content of ";

/** Lists and confirmations say nothing but names and what the model itself gave; a file says what it is worth, at its top. */
function isTrustedAnswer(text: string): boolean {
  if (!text.startsWith(fileHead)) return true;
  const lines = text
    .split("\n")
    .slice(1)
    .map((line) => /^\s*(\d+)\t(.*)$/s.exec(line) ?? ["", "", ""]);
  if (lines[0]?.[1] !== "1") return false;
  const { matter } = splitFrontMatter(lines.map(([, , line]) => line).join("\n"));
  return matter !== null && /^(?:trust: trusted|confirmed: "?true"?)$/m.test(matter);
}

/** Whether what is written now is trusted, kept up to date entry by entry. */
interface SessionTaint {
  see(entry: Entry): void;
  /** Made where it is asked for, once. */
  readonly taint: Taint;
  /** To go back to. */
  readonly state: TaintState;
  goBackTo(state: TaintState | undefined): void;
}

/** Where nobody says which files are under version control, none is. */
export const noLocations: SessionTrustLocations = { cwd: "/", folders: [], isTracked: () => false };

export function createSessionTaint(locations: SessionTrustLocations, start: TaintState): SessionTaint {
  let state = start;
  let told: { readonly of: TaintState; readonly taint: Taint } | null = null;
  return {
    see(entry) {
      state = nextSessionTaint(state, entry, locations);
    },
    get taint() {
      if (told?.of !== state) told = { of: state, taint: toTaint(state) };
      return told.taint;
    },
    get state() {
      return state;
    },
    goBackTo(former = emptyTaint) {
      state = former;
    },
  };
}
