import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importTranscript } from "../packages/core/src/log/import/index.ts";
import type { Entry } from "../packages/core/src/spec/index.ts";
import { createProjection } from "../packages/core/src/view/projection/projection.ts";
import { createMessageRenderer } from "../packages/core/src/view/request/message-renderer.ts";
import { repairSteps } from "../packages/core/src/view/request/repair.ts";
import { validate } from "../packages/core/src/view/request/validator.ts";

/** Runs over real sessions that are not part of the project; see `recorded-sessions.test.ts`. */
const folder = process.env.PALIMPSEST_RECORDED_SESSIONS ?? "";
const files = folder === "" ? [] : readdirSync(folder).filter((name) => /\.jsonl(\.gz)?$/.test(name));
const limits = { images: { maxBytes: 5_000_000, maxSidePixels: 8_000, maxCount: 100 }, maxBreakpoints: 4 };

async function entriesOf(file: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const read = await importTranscript(createReadStream(join(folder, file)), { file }, (entry) =>
    entries.push(entry),
  );
  if (!read.ok) throw read.error;
  return entries;
}

/** True for the first entry of each response of the main conversation: a request was made right before it. */
function createRequestFinder(): (entry: Entry) => boolean {
  let response: string | undefined;
  return (entry) => {
    if (entry.kind !== "message" || entry.message.type !== "assistant" || entry.message.isSidechain)
      return false;
    const isNew = entry.message.responseId !== response;
    response = entry.message.responseId;
    return isNew;
  };
}

/** Leaves numbers free between entries for the repairs that the recording does not have. */
function spread(entry: Entry): Entry {
  const seq = entry.seq * 2;
  if (entry.kind !== "decision") return { ...entry, seq };
  const { decision } = entry;
  const basis = decision.basis * 2;
  if (decision.type !== "compact" || !decision.kept)
    return { ...entry, seq, decision: { ...decision, basis } } as Entry;
  const { headSeq, tailSeq } = decision.kept;
  const kept = { ...decision.kept, headSeq: headSeq * 2, tailSeq: tailSeq * 2 };
  return { ...entry, seq, decision: { ...decision, basis, kept } };
}

describe.skipIf(files.length === 0)("every request of a recorded session", () => {
  it.each(files)("of %s is valid once it is repaired, and stays repaired", async (file) => {
    const projection = createProjection();
    const renderer = createMessageRenderer();
    const isRequest = createRequestFinder();
    const log: Entry[] = [];
    let requests = 0;
    const append = (entry: Entry) => {
      log.push(entry);
      const needs = projection.add(entry);
      if (needs !== null) projection.rebuild(log.filter(({ seq }) => seq > needs));
    };
    for (const entry of (await entriesOf(file)).map(spread)) {
      if (isRequest(entry)) {
        requests += 1;
        const steps = repairSteps(projection.projected.items, 0, limits);
        const head = {
          type: "repair",
          layer: "engine",
          reason: "test",
          frees: 0,
          basis: log.length,
        } as const;
        const id = `repair_${requests}`;
        if (steps.length > 0)
          append({
            ...entry,
            id,
            seq: entry.seq - 1,
            kind: "decision",
            decision: { ...head, steps },
          } as Entry);
        const { items } = projection.projected;
        const messages = renderer.render(items, projection.takeChanged());
        expect({
          requests,
          violations: validate({ messages }, limits),
          again: repairSteps(items, 0, limits),
        }).toEqual({
          requests,
          violations: [],
          again: [],
        });
      }
      append(entry);
    }
    expect(requests).toBeGreaterThan(0);
  });
});
