import { expect } from "vitest";
import { type ContentBlock, type Entry, isBlock } from "../../packages/core/src/spec/index.ts";
import { project } from "../../packages/core/src/view/projection/project.ts";
import { createProjection, type Projection } from "../../packages/core/src/view/projection/projection.ts";
import { createHistory, type Operation } from "./histories.ts";

/** Adds an entry as the engine does: what is no longer in memory is read again from the log. */
export function addTo(projection: Projection, entry: Entry, log: readonly Entry[]): void {
  const needs = projection.add(entry);
  if (needs !== null) projection.rebuild(log.filter(({ seq }) => seq > needs));
}

/**
 * A log that is opened: entries come one by one, what must be read again is read once, at the end, and contents that were
 * not held are filled in.
 */
export function checkOpening(operations: readonly Operation[], outlineChars?: number): void {
  const history = createHistory();
  for (const operation of operations) history.write(operation);
  const entries = history.entries.map(withLongTexts);
  const projection = createProjection({ outlineChars });
  let needs: number | null = null;
  for (const entry of entries) needs = projection.add(entry);
  if (needs !== null) projection.rebuild(entries.filter(({ seq }) => seq > (needs ?? 0)));
  const fill = projection.startFill();
  for (const entry of entries) if (fill.needs(entry.seq)) fill.take(entry);
  expect(projection.projected).toEqual(project(entries));
}

/** Of every second message the blocks are long enough for stubs to be made of them. */
function withLongTexts(entry: Entry): Entry {
  if (entry.kind !== "message" || entry.seq % 2 === 0 || typeof entry.message.content === "string")
    return entry;
  const content = entry.message.content.map((block) => lengthened(block, entry.seq));
  return { ...entry, message: { ...entry.message, content } };
}

function lengthened(block: ContentBlock, seq: number): ContentBlock {
  const long = `${seq} is long. `.repeat(60);
  if (isBlock(block, "text")) return { ...block, text: `${block.text}${long}` };
  if (isBlock(block, "tool_use")) return { ...block, input: { long } };
  if (!isBlock(block, "tool_result")) return block;
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: long } } as const;
  return { ...block, content: seq % 3 === 0 ? long : [{ type: "text", text: long }, image] };
}

/** The incremental projection is the projection of the whole log, after every operation. */
export function checkProjection(operations: readonly Operation[]): void {
  const history = createHistory();
  const projection = createProjection();
  for (const [index, operation] of operations.entries()) {
    const entry = history.write(operation);
    if (!entry) continue;
    addTo(projection, entry, history.entries);
    expect(projection.projected, `after operation ${index}`).toEqual(project(history.entries));
  }
}
