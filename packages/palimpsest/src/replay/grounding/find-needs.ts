import { isBlock } from "@palimpsest/core/spec";
import type { PreparedRecording } from "../prepared-recording.ts";
import type { RecordedSession } from "../recorded-session.ts";
import { type Atom, extractAtoms, quotesOf, wordsOf } from "./extract-atoms.ts";
import { type RecordedBlock, recordedBlocks } from "./recorded-blocks.ts";

/** An atom that a call of a recorded response needed, with the earlier blocks that hold it. */
export interface Need {
  readonly atom: Atom;
  /** Oldest first; never empty. */
  readonly sources: readonly RecordedBlock[];
  /** Requests since the newest of them came. */
  readonly distance: number;
}

/** The needs of a session's calls, by the request whose response made them, and what was left out of it. */
export interface Needs {
  readonly byRequest: readonly (readonly Need[])[];
  /** `novel`: no earlier block has it. `fixed`: in the path of the working folder. `given`: the user or a summary said it. */
  readonly leftOut: Readonly<Record<"novel" | "fixed" | "given", number>>;
}

/** Only blocks that the recorded agent saw count: those since the newest recorded boundary, its summary included. */
export function findNeeds(session: RecordedSession): Needs {
  const index = createSourceIndex();
  const blocks = recordedBlocks(session);
  const leftOut = { novel: 0, fixed: 0, given: 0 };
  const byRequest: Need[][] = [];
  let next = 0;
  for (const request of session.requests) {
    for (; next < blocks.length && (blocks[next] as RecordedBlock).request <= request.index; next += 1)
      index.add(blocks[next] as RecordedBlock, request.segment);
    const atoms = request.response.content.flatMap((block) =>
      isBlock(block, "tool_use") ? extractAtoms(block) : [],
    );
    const needs: Need[] = [];
    for (const atom of new Map(atoms.map((one) => [`${one.type} ${one.text}`, one])).values()) {
      const sources = index.find(atom);
      const newest = sources.at(-1);
      if (!newest) leftOut.novel += 1;
      else if (session.cwd?.includes(atom.text)) leftOut.fixed += 1;
      else if (sources.some(({ isGiven }) => isGiven)) leftOut.given += 1;
      else needs.push({ atom, sources, distance: request.index - newest.request });
    }
    byRequest.push(needs);
  }
  return { byRequest, leftOut };
}

/** Finds the blocks of the current segment that hold an atom. */
function createSourceIndex() {
  let segment = 0;
  let blocks: RecordedBlock[] = [];
  let holders = new Map<string, RecordedBlock[]>();

  function hold(key: string, block: RecordedBlock): void {
    const known = holders.get(key);
    if (!known) holders.set(key, [block]);
    else if (known.at(-1) !== block) known.push(block);
  }

  return {
    add(block: RecordedBlock, current: number): void {
      if (current !== segment) {
        segment = current;
        blocks = [];
        holders = new Map();
      }
      if (block.segment !== segment) return;
      blocks.push(block);
      for (const { type, text } of wordsOf(block.text)) hold(`${type} ${text}`, block);
      for (const line of quotesOf(block.text)) hold(`quote ${line}`, block);
    },
    find({ type, text }: Atom): readonly RecordedBlock[] {
      if (type === "edit_old") return blocks.filter((block) => block.text.includes(text));
      return [...(holders.get(`${type} ${text}`) ?? [])];
    },
  };
}

/** The future, known only in hindsight: for the ceiling that policies are compared with. */
export interface Future {
  /** Whether a response to come needs something of which this result is the newest source. */
  needsResult(toolUseId: string): boolean;
  /** Requests to come before the next recorded boundary, the present one counted. */
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
  const ends = new Map<number, number>();
  for (const { segment, index } of session.requests) ends.set(segment, index);
  return {
    needsResult: (toolUseId) => (lastNeeded.get(toolUseId) ?? -1) >= present(),
    requestsLeft() {
      const segment = session.requests[present()]?.segment ?? 0;
      return (ends.get(segment) ?? 0) - present() + 1;
    },
  };
}
