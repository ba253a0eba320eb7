import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import type { SessionSetting } from "./check-session.ts";

const model = "claude-opus-5.5";
const settings = { catalog: { capabilities: { [model]: { dropsUnboundThinking: false } } } };

/** Deletes results from the cache as soon as there are a few. */
const editing = (capabilities: object): Omit<SessionSetting, "model"> => ({
  settings: {
    flags: { "clear-cache-edits": true },
    microcompact: { cacheEditTrigger: 2, cacheEditKeep: 1 },
    catalog: { capabilities: { "*": { cacheEdits: true, ...capabilities } } },
  },
  usage: { input: 1, output: 1, cacheRead: 1_000, cacheCreation: 100 },
  layers: defaultLayers(),
});

/** What the invariants of a session are checked under, each with how a sentence about it ends. */
export const sessionSettings: readonly (readonly [string, SessionSetting])[] = [
  ["", {}],
  [", where thinking is bound to its prefix", { model, settings }],
  [
    ", where thinking is bound and asked for",
    { model, settings, request: { thinking: { type: "enabled" } } },
  ],
  [", with the usual layers", { layers: defaultLayers() }],
  [
    ", with the usual layers, where thinking is bound and asked for",
    { model, settings, request: { thinking: { type: "enabled" } }, layers: defaultLayers() },
  ],
  [", with cache edits", editing({})],
  [
    ", with cache edits, where thinking is bound and asked for",
    { ...editing({ dropsUnboundThinking: false }), model, request: { thinking: { type: "adaptive" } } },
  ],
  [", where the API drops unbound thinking", { model, request: { thinking: { type: "adaptive" } } }],
];
