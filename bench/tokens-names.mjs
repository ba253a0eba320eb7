// The same increments as a session sees them that asks for an alias and is answered by a dated name.
import { createCatalog } from "../packages/core/build/catalog/index.js";
import { createSessionState } from "../packages/core/build/session/session-state.js";
import { createCalibration } from "../packages/core/build/view/tokens/index.js";

const minTokens = 1_000;
const minResponses = 20;
const dated = /-20\d{6}$/;
const catalog = createCatalog();

/** What is asked for a recorded model, and by which name it answers: where it was recorded without a date, with one. */
const aliasOf = (model) => model.replace(dated, "");
const answeredName = (model) => (dated.test(model) ? model : `${model}-20250101`);

/** A recorded session's log as it would be if it had asked for aliases. */
function withAliases(entries) {
  let asked;
  return entries.flatMap((entry) => {
    if (entry.kind === "session") return [{ ...entry, session: { ...entry.session, imported: undefined } }];
    const { model } = entry.message ?? {};
    if (entry.kind !== "message" || !entry.message.usage || model === undefined) return [entry];
    const answer = { ...entry, message: { ...entry.message, model: answeredName(model) } };
    if (asked === aliasOf(model)) return [answer];
    asked = aliasOf(model);
    const { v, seq, epoch, id, at } = entry;
    const note = { v, seq, epoch, id: `${id}-head`, at, kind: "note", note: { topic: "head", model: asked } };
    return [note, answer];
  });
}

/** Learned as a session learns, looked up as it looks up: each estimate is made before its increment is observed. */
function judge(entries, carried) {
  const fresh = createCalibration();
  const responses = new Map();
  const judged = [];
  const log = withAliases(entries);
  let asked;
  const state = createSessionState({
    pricesOf: () => catalog.prices("").value,
    observe(learned, features, tokens) {
      responses.set(asked, (responses.get(asked) ?? 0) + 1);
      if (tokens >= minTokens && responses.get(asked) >= minResponses) {
        const error = (estimate) => Math.abs(estimate - tokens) / tokens;
        judged.push({
          plain: error(features.plain),
          fresh: error(fresh.estimate(asked, features).tokens),
          carried: error(carried.estimate(asked, features).tokens),
        });
      }
      fresh.observe(learned, features, tokens);
      carried.observe(learned, features, tokens);
    },
  });
  for (const [index, entry] of log.entries()) {
    if (entry.kind === "note" && entry.note.topic === "head") asked = entry.note.model;
    const needs = state.add(entry);
    if (needs !== null) state.rebuild(log.slice(0, index + 1).filter(({ seq }) => seq > needs));
  }
  return judged;
}

/** Everything that was judged over all sessions, oldest first. */
export function judgeAliases(sessions) {
  const carried = createCalibration();
  return sessions.flatMap(({ entries }) => judge(entries, carried));
}
