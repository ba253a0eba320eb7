import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addRound, beginToolSession } from "../../../../../test/support/tool-rounds.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import type { ContentBlock, Session } from "../../spec/index.ts";
import { createMicrocompactLayer } from "./index.ts";
import { microcompactNumbers } from "./settings.ts";

interface Step {
  readonly tool: "Read" | "Edit" | "Write" | "Bash" | "Grep" | "user";
  readonly file: number;
  readonly words: number;
  readonly idleMs: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  tool: fc.constantFrom("Read", "Read", "Edit", "Edit", "Write", "Bash", "Grep", "user"),
  file: fc.nat({ max: 3 }),
  words: fc.constantFrom(10, 1_000, 4_000),
  idleMs: fc.constantFrom(0, 0, 0, 1_000, 10 * 60_000),
});

const steps = fc.array(step, { minLength: 1, maxLength: 40, size: "max" });

/** What a call says and brings: no two say the same. */
function callOf({ tool, file, words }: Step, number: number) {
  const path = `/file-${file}`;
  const text = `${number} ${"word ".repeat(words)}`;
  if (tool === "Edit")
    return { input: { file_path: path, old_string: `old ${text}`, new_string: `new ${number}` }, text };
  if (tool === "Write") return { input: { file_path: path, content: text }, text: "Written." };
  if (tool === "Read") return { input: { file_path: path }, text };
  return { input: tool === "Bash" ? { command: `run ${number}` } : { pattern: `p${number}` }, text };
}

/** A session that clears whatever it can, and what was said in it. */
async function open() {
  const clock = createVirtualClock();
  const microcompact = { economicMinBatchTokens: 500 };
  const { session } = await beginToolSession({
    clock,
    layers: [createMicrocompactLayer()],
    model: "claude-sonnet-4-5[1m]",
    settings: { microcompact },
  });
  return { session, clock };
}

type Place = (session: Session, sent: readonly ContentBlock[], done: readonly Step[]) => Promise<void> | void;

/** Goes through the steps, and looks at each request. */
async function goThrough(all: readonly Step[], look: Place): Promise<void> {
  const { session, clock } = await open();
  for (const [number, one] of all.entries()) {
    await clock.advance(one.idleMs);
    const { input, text } = callOf(one, number);
    if (one.tool === "user") await session.add({ role: "user", content: `Go on with ${number}.` });
    else await addRound(session, [{ id: `t${number}`, tool: one.tool, input, content: text }]);
    const { request } = await session.prepare();
    const sent = request.messages.flatMap(({ content }) => content.map(withoutMarker));
    await look(session, sent, all.slice(0, number + 1));
  }
  await session.close();
}

function withoutMarker(block: ContentBlock): ContentBlock {
  const { cache_control: _marker, ...bare } = block as ContentBlock & { cache_control?: unknown };
  return bare as ContentBlock;
}

const has = (sent: readonly ContentBlock[], text: string) => JSON.stringify(sent).includes(text);

describe("clearing, whatever was done before", () => {
  it("leaves what no model has been asked with as it is", async () => {
    await fc.assert(
      fc.asyncProperty(steps, (all) =>
        goThrough(all, (_session, sent, done) => {
          const number = done.length - 1;
          const newest = done[number] as Step;
          if (newest.tool !== "user") expect(has(sent, callOf(newest, number).text)).toBe(true);
        }),
      ),
      { numRuns: 15 },
    );
  });

  it("leaves the text of files that were just read or are being changed, and all new text of edits", async () => {
    await fc.assert(
      fc.asyncProperty(steps, (all) =>
        goThrough(all, (_session, sent, done) => {
          for (const text of neededTexts(done)) expect(has(sent, text)).toBe(true);
        }),
      ),
      { numRuns: 15 },
    );
  });

  it("takes away nothing that cannot be recalled whole by its id", async () => {
    await fc.assert(
      fc.asyncProperty(steps, (all) =>
        goThrough(all, async (session, sent, done) => {
          if (done.length < all.length) return;
          for (const [number, one] of done.entries()) {
            if (one.tool === "user" || one.words < 1_000) continue;
            const { text, input } = callOf(one, number);
            const words =
              one.tool === "Edit" ? input.old_string : one.tool === "Write" ? input.content : text;
            if (has(sent, words as string)) continue;
            expect(has(sent, `recall t${number}`)).toBe(true);
            const recalled = await session.recall(`t${number}`, { limit: 100_000 });
            expect(recalled.text).toContain(words);
          }
        }),
      ),
      { numRuns: 10 },
    );
  });
});

/** By the rule in plain words: readings that nothing covers since, and what edits put into files. */
function neededTexts(done: readonly Step[]): readonly string[] {
  const rounds = done.flatMap((one, number) => (one.tool === "user" ? [] : [{ ...one, number }]));
  const ageOf = (number: number) => rounds.filter((one) => one.number > number).length;
  return rounds.flatMap((one) => {
    const { text, input } = callOf(one, one.number);
    if (one.tool === "Edit") return [input.new_string as string];
    if (one.tool !== "Read") return [];
    const later = rounds.filter(({ number, file }) => number > one.number && file === one.file);
    if (later.some(({ tool }) => tool === "Read" || tool === "Write")) return [];
    const changed = later.findLast(({ tool }) => tool === "Edit");
    const { workingRequests, workingReadRequests } = microcompactNumbers;
    const isNeeded = changed
      ? ageOf(changed.number) < workingRequests
      : ageOf(one.number) < workingReadRequests;
    return isNeeded ? [text] : [];
  });
}
