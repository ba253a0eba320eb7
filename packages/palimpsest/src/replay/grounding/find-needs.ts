import { isBlock } from "@palimpsest/core/spec";
import type { PreparedRecording } from "../prepared-recording.ts";
import type { RecordedRequest, RecordedSession } from "../recorded-session.ts";
import { type Atom, extractAtoms, quotesOf, wordsOf } from "./extract-atoms.ts";
import { type RecordedBlock, recordedBlocks } from "./recorded-blocks.ts";

/** An atom that a call of a recorded response needed, with the earlier blocks that hold it. */
export interface Need {
  readonly atom: Atom;
  /** All that came before, oldest first; never empty. A recorded boundary may have taken some of them away. */
  readonly sources: readonly RecordedBlock[];
  /** Requests since the newest of those came that the recorded agent still saw. */
  readonly distance: number;
}

/** The needs of a session's calls, by the request whose response made them, and what was left out of it. */
export interface Needs {
  readonly byRequest: readonly (readonly Need[])[];
  /** `novel`: no earlier block has it. `fixed`: in the path of the working folder. `given`: the user or a summary said it. */
  readonly leftOut: Readonly<Record<"novel" | "fixed" | "given", number>>;
}

/**
 * Needed is what the recorded agent saw: what a block since the newest recorded boundary holds, its summary included. Any
 * earlier block that holds it as well is as good a source, for those who keep it.
 */
export function findNeeds(session: RecordedSession): Needs {
  const wanted = session.requests.map(atomsOf);
  const index = createSourceIndex(wanted.flat());
  const blocks = recordedBlocks(session);
  const leftOut = { novel: 0, fixed: 0, given: 0 };
  const byRequest: Need[][] = [];
  let next = 0;
  for (const request of session.requests) {
    for (; next < blocks.length && (blocks[next] as RecordedBlock).request <= request.index; next += 1)
      index.add(blocks[next] as RecordedBlock);
    const needs: Need[] = [];
    for (const atom of wanted[request.index] ?? []) {
      const sources = index.find(atom);
      const seen = sources.filter(({ isSent, segment }) => isSent && segment === request.segment);
      const newest = seen.at(-1);
      if (!newest) leftOut.novel += 1;
      else if (session.cwd?.includes(atom.text)) leftOut.fixed += 1;
      else if (seen.some(({ isGiven }) => isGiven)) leftOut.given += 1;
      else needs.push({ atom, sources, distance: request.index - newest.request });
    }
    byRequest.push(needs);
  }
  return { byRequest, leftOut };
}

/** The atoms that the calls of a response need, each once. */
function atomsOf({ response }: RecordedRequest): readonly Atom[] {
  const atoms = response.content.flatMap((block) => (isBlock(block, "tool_use") ? extractAtoms(block) : []));
  return [...new Map(atoms.map((atom) => [keyOf(atom), atom])).values()];
}

function keyOf({ type, text }: Atom): string {
  return `${type} ${text}`;
}

/** Finds the blocks that hold an atom, of those that are wanted at some time. */
function createSourceIndex(wanted: readonly Atom[]) {
  const blocks: RecordedBlock[] = [];
  const holders = new Map(wanted.map((atom) => [keyOf(atom), [] as RecordedBlock[]]));

  function hold(key: string, block: RecordedBlock): void {
    const known = holders.get(key);
    if (known && known.at(-1) !== block) known.push(block);
  }

  return {
    add(block: RecordedBlock): void {
      blocks.push(block);
      for (const atom of wordsOf(block.text)) hold(keyOf(atom), block);
      for (const line of quotesOf(block.text)) hold(`quote ${line}`, block);
    },
    find(atom: Atom): readonly RecordedBlock[] {
      if (atom.type === "edit_old") return blocks.filter(({ text }) => text.includes(atom.text));
      return [...(holders.get(keyOf(atom)) ?? [])];
    },
  };
}

/** The future, known only in hindsight: for the ceiling that policies are compared with. */
export interface Future {
  /** Whether a response to come needs something of which this result is the newest source. */
  needsResult(toolUseId: string): boolean;
  /** Requests to come, the present one counted. */
  requestsLeft(): number;
}

/** `present`: the index of the request that is being made. */
export function createFuture(recording: PreparedRecording, present: () => number): Future {
  const { session, needs } = recording;
  const lastNeeded = new Map<string, number>();
  for (const [request, wanted] of needs.byRequest.entries()) {
    for (const { sources } of wanted) {
      const newest = sources.at(-1)?.block;
      if (newest && isBlock(newest, "tool_result")) lastNeeded.set(newest.tool_use_id, request);
    }
  }
  return {
    needsResult: (toolUseId) => (lastNeeded.get(toolUseId) ?? -1) >= present(),
    requestsLeft: () => session.requests.length - present(),
  };
}
