// Recorded sessions, compacted by the engine where the recorded harness compacted them.

import { createCompactionWithNotes } from "../packages/core/build/session/compaction-with-notes.js";
import { defaultLayers } from "../packages/core/build/session/default-layers.js";
import { openSession } from "../packages/core/build/session/open-session.js";
import { shortId } from "../packages/core/build/view/quote-foreign.js";
import { blockText } from "../packages/palimpsest/build/replay/grounding/recorded-blocks.js";
import { createReplayClock } from "../packages/palimpsest/build/replay/session/replay-session.js";
import { boundaryNeeds, hasName } from "./boundary-needs.mjs";
import { createRecordedFiles, notShown } from "./recorded-files.mjs";
import { textOf } from "./scribe-boundaries.mjs";

/**
 * Runs a session through the engine with its messages and usages as recorded. At each boundary it is opened again with
 * what the recorded harness had behind it as the most that ours may have, and compacted by hand without a model.
 * The engine's views follow each other. Gives what each of them has of what the next calls need.
 */
export async function compactRecorded({ session: recorded, home, id, settings, tokensOf }) {
  const needsAt = boundaryNeeds(recorded);
  const files = createRecordedFiles();
  const clock = createReplayClock(recorded.requests[0].sentMs);
  const events = [];
  const layers = defaultLayers().map((layer) =>
    layer.id === "compaction" ? createCompactionWithNotes({ restore: files }) : layer,
  );
  const open = (resume, compaction = {}) =>
    openSession({
      home,
      cwd: home,
      id,
      resume,
      model: recorded.requests[0].model,
      layers,
      settings: { ...settings, compaction },
      durability: "relaxed",
      clock,
      onEvent: (event) => events.push(event),
    });
  let session = await open(false);
  const headTokens = session.usage().count.tokens;
  const entryOf = new Map();
  const rows = [];

  async function add(recordedId, message) {
    if (message.content.length === 0) return;
    files.see(message.content);
    const entry = await session.add(message);
    entryOf.set(recordedId, entry.id);
  }

  async function reach(boundary, segment) {
    const recordedSize = tokensOf(recorded, segment);
    await session.close();
    session = await open(true, { maxTokens: recordedSize.totalTokens });
    events.length = 0;
    const started = performance.now();
    const report = await session.compact();
    const ms = performance.now() - started;
    const { request } = await session.prepare();
    const view = request.messages
      .flatMap(({ content }) => (typeof content === "string" ? [{ type: "text", text: content }] : content))
      .map(blockText)
      .join("\n");
    const needs = needsAt(segment);
    if (!needs) return;
    rows.push({
      name: `${recorded.name.split("-").slice(0, 2).join("-")} ${segment}`,
      ...recordedSize,
      oursTokens: report.tokensAfter - headTokens,
      strategy: report.strategy,
      ms,
      tokensBefore: report.tokensBefore,
      restored: events.filter(({ type }) => type === "file-restored").length,
      skipped: events.filter(({ type }) => type === "file-skipped").length,
      unknown: events.filter(({ type, reason }) => type === "file-skipped" && reason === notShown).length,
      ours: await found(needs, view, session, entryOf),
      recorded: await found(needs, textOf(boundary.decision.summary)),
    });
  }

  for (const { segment, before, response, usage, model } of recorded.requests) {
    for (const step of before) {
      clock.show(step.atMs);
      if (step.kind === "boundary") await reach(step, segment);
      else await add(step.id, { role: step.role, content: step.content, ...step.flags, at: step.atMs });
    }
    const { id: entry, responseId, content, stopReason, endMs } = response;
    clock.show(endMs);
    await add(entry, {
      role: "assistant",
      content,
      id: responseId,
      model,
      at: endMs,
      ...(usage && { usage }),
      ...(stopReason !== undefined && { stopReason }),
    });
  }
  await session.close();
  return rows;
}

/** Which names and atoms a text has, and which of the others the session gives back by an id in the text. */
async function found({ names, atoms }, text, session, entryOf) {
  const missedNames = names.filter((name) => !hasName(text, name));
  const kinds = () => ({ edit_old: 0, num: 0 });
  const tally = {
    names: names.length,
    missedNames,
    needed: kinds(),
    inView: kinds(),
    recall: kinds(),
    missed: [],
  };
  for (const { type, text: atom, sources } of atoms) {
    tally.needed[type] += 1;
    if (text.includes(atom)) tally.inView[type] += 1;
    else if (session && (await isRecalled(atom, sources, text, session, entryOf))) tally.recall[type] += 1;
    else tally.missed.push({ type, atom, sources });
  }
  return tally;
}

const gutter = /^ *\d+(?:\t|→)/gm;

/** One call of the Recall tool, its first page: nothing is taken for found that does not come back. */
async function isRecalled(atom, sources, view, session, entryOf) {
  const ids = sources.flatMap(({ block, key }) => [
    block.id ?? block.tool_use_id,
    entryOf.get(key.replace(/:\d+$/, "")),
  ]);
  const named = ids.flatMap((id) => (id === undefined ? [] : [id, shortId(id)]));
  for (const id of new Set(named.filter((one) => view.includes(one)))) {
    const { text } = await session.recall(id);
    const escaped = JSON.stringify(atom).slice(1, -1);
    if (text.replace(gutter, "").includes(atom) || text.includes(escaped)) return true;
  }
  return false;
}
