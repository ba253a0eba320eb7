import { resolve } from "node:path";
import type { Provider } from "@openfeature/server-sdk";
import { createRuntime, type Runtime } from "../runtime.ts";
import {
  type Clock,
  type Durability,
  type Event,
  fail,
  type Layer,
  ok,
  type Result,
  type Session,
  type Settings,
  type Store,
} from "../spec/index.ts";
import { createNodeDisk, dataRoot, openFileStore } from "../stores/files/index.ts";
import { createEmitter } from "./emitter.ts";
import { loadLearnedRates } from "./learned-rates.ts";
import { createOpening } from "./opening.ts";
import { createSession } from "./session.ts";
import { resolveConfig } from "./session-config.ts";
import { createHeader, type HeadOptions, headerOf, headOf } from "./session-head.ts";
import { openSessionLog } from "./session-log.ts";

export interface SessionOptions extends HeadOptions {
  readonly cwd?: string;
  readonly home?: string;
  readonly id?: string;
  /** Go on with the session of that id. */
  readonly resume?: boolean;
  readonly readOnly?: boolean;
  readonly store?: Store;
  readonly durability?: Durability;
  /** Stronger than the environment and every settings file. */
  readonly settings?: Settings;
  /** Any OpenFeature provider, for flags. */
  readonly flagProvider?: Provider;
  readonly layers?: readonly Layer[];
  readonly clock?: Clock;
  /** Hears what happens. What it throws is dropped: a listener cannot harm a session. */
  readonly onEvent?: (event: Event) => void;
}

/** Opens or begins a session. Throws a `PalimpsestError` that says what is wrong and what to do. */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const opened = await open(options);
  if (!opened.ok) throw opened.error;
  return opened.value;
}

async function open(options: SessionOptions): Promise<Result<Session>> {
  const runtime = createRuntime();
  const clock = options.clock ?? runtime.clock;
  const cwd = options.cwd ?? runtime.workingFolder();
  const stored = options.store ? ok(options.store) : await openFileStore({ home: options.home, cwd });
  if (!stored.ok) return stored;
  const store = stored.value;
  if ((options.resume || options.readOnly) && options.id === undefined) {
    return fail("invalid-input", "Which session to open is not said.", { path: "id", fix: "Give its id." });
  }
  const session = options.id ?? runtime.ids.next("ses");
  const isNew = !options.resume && !options.readOnly;
  const found = isNew ? ok(undefined) : await headerOf(store, session);
  if (!found.ok) return found;
  const head = await headOf(store, session, found.value, options);
  if (!head.ok) return head;
  const config = await resolveConfig({
    model: head.value.model,
    options: options.settings ?? {},
    environment: runtime.environment,
    files: options.store
      ? undefined
      : { disk: createNodeDisk(), home: homeOf(options, runtime), project: cwd },
    provider: options.flagProvider,
    clock,
  });
  if (!config.ok) return config;
  const header = isNew ? await createHeader(store, session, cwd, head.value) : ok(undefined);
  if (!header.ok) return header;

  const before = JSON.stringify([head.value.system, head.value.tools]);
  const { model } = head.value;
  const { catalog } = config.value;
  const rates = await loadLearnedRates(store.learned);
  /** What is learned already was learned from this log too: it is not learned from it twice. */
  let isLearning = rates.calibration.rates(model) === undefined;
  const opening = createOpening({
    before,
    pricesOf: (name = model) => catalog.prices(name).value,
    observe: (features, tokens) => {
      if (isLearning) rates.observe(model, features, tokens);
    },
  });
  const log = await openSessionLog({
    store,
    session,
    first: header.value && { kind: "session", session: header.value },
    isReadOnly: options.readOnly ?? false,
    durability: options.durability ?? config.value.settings.durability ?? "process",
    visit: opening.visit,
  });
  if (!log.ok) return log;
  const state = await opening.finish(log.value);
  if (!state.ok) {
    await log.value.close();
    return state;
  }
  isLearning = true;
  const emit = createEmitter(session, clock, options.onEvent);
  for (const { message } of config.value.warnings) emit({ type: "setting-ignored", message });
  emit({ type: "session-open", report: log.value.report, readOnly: options.readOnly ?? false });
  if (rates.problem !== undefined) emit({ type: "setting-ignored", message: rates.problem });
  const { start, ...opened } = createSession({
    id: session,
    head: head.value,
    state: state.value,
    log: log.value,
    store,
    clock,
    ids: runtime.ids,
    layers: options.layers ?? [],
    config: config.value,
    rates,
    emit,
  });
  if (!opened.isReadOnly) await start();
  return ok(opened);
}

function homeOf({ home }: SessionOptions, { environment, homeFolder }: Runtime): string {
  return resolve(home ?? dataRoot(environment, homeFolder));
}
