import { resolve } from "node:path";
import type { Provider } from "@openfeature/server-sdk";
import { featuresOf } from "../context/tokens/index.ts";
import { createRuntime, type Runtime } from "../runtime.ts";
import {
  type Clock,
  type Durability,
  type Event,
  type FlagName,
  type FlagValues,
  fail,
  type Layer,
  ok,
  type Result,
  type Session,
  type Settings,
  type Store,
} from "../spec/index.ts";
import { createNodeDisk, dataRoot, openFileStore } from "../stores/files/index.ts";
import { checkOptions } from "./check-options.ts";
import { defaultLayers } from "./default-layers.ts";
import { createEmitter } from "./emitter.ts";
import { flagTable } from "./flags/flag-table.ts";
import { type LearnedRates, loadLearnedRates } from "./learned-rates.ts";
import { createOpening, type Opening } from "./opening.ts";
import type { RequestHead } from "./request-head.ts";
import { createSession } from "./session.ts";
import { resolveConfig, type SessionConfig } from "./session-config.ts";
import { createHeader, type HeadOptions, headOf, readStoredHead, type StoredHead } from "./session-head.ts";
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
  /** In place of `defaultLayers()`. */
  readonly layers?: readonly Layer[];
  readonly clock?: Clock;
  /** Hears what happens. What it throws is dropped: a listener cannot harm a session. */
  readonly onEvent?: (event: Event) => unknown;
}

/** Opens or begins a session. Throws a `PalimpsestError` that says what is wrong and what to do. */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const opened = await open(options);
  if (!opened.ok) throw opened.error;
  return opened.value;
}

async function open(options: SessionOptions): Promise<Result<Session>> {
  const checked = checkOptions(options);
  if (!checked.ok) return checked;
  const runtime = createRuntime();
  const clock = options.clock ?? runtime.clock;
  const cwd = options.cwd ?? runtime.workingFolder();
  const found = options.store ? ok(options.store) : await openFileStore({ home: options.home, cwd });
  if (!found.ok) return found;
  const store = found.value;
  if ((options.resume || options.readOnly) && options.id === undefined) {
    return fail("invalid-input", "Which session to open is not said.", { path: "id", fix: "Give its id." });
  }
  const session = options.id ?? runtime.ids.next("ses");
  const isNew = !options.resume && !options.readOnly;
  const stored = isNew ? ok<StoredHead>({}) : await readStoredHead(store, session, options);
  if (!stored.ok) return stored;
  const head = headOf(stored.value, options);
  if (!head.ok) return head;
  /** A program that brings its own store has settings files only where it says so. */
  const hasFiles = !options.store || options.home !== undefined || options.cwd !== undefined;
  const config = await resolveConfig({
    model: head.value.model,
    options: options.settings ?? {},
    environment: runtime.environment,
    files: hasFiles ? { disk: createNodeDisk(), home: homeOf(options, runtime), project: cwd } : undefined,
    provider: options.flagProvider,
    clock,
    keptFlags: stored.value.flags,
    betas: head.value.fields.betas as readonly string[] | undefined,
  });
  if (!config.ok) return config;
  const header = isNew
    ? await createHeader(store, session, cwd, head.value, prefixFlags(config.value.flags.values))
    : ok(undefined);
  if (!header.ok) return header;
  const rates = await loadLearnedRates(store.learned);
  const opening = openingOf(head.value, config.value, rates);
  const log = await openSessionLog({
    store,
    session,
    first: header.value && { kind: "session", session: header.value },
    isReadOnly: options.readOnly ?? false,
    durability: options.durability ?? config.value.settings.durability ?? "process",
    visit: opening.visit,
  });
  if (!log.ok) return log;
  try {
    const state = await opening.finish(log.value);
    if (!state.ok) throw state.error;
    const emit = createEmitter(session, clock, options.onEvent);
    for (const { message } of config.value.warnings) emit({ type: "setting-ignored", message });
    emit({ type: "session-open", report: log.value.report, readOnly: options.readOnly ?? false });
    for (const message of [stored.value.problem, rates.problem])
      if (message !== undefined) emit({ type: "setting-ignored", message });
    const { start, ...opened } = createSession({
      id: session,
      head: head.value,
      state: state.value,
      log: log.value,
      store,
      clock,
      ids: runtime.ids,
      layers: options.layers ?? defaultLayers(),
      config: config.value,
      rates,
      emit,
    });
    if (!opened.isReadOnly) await start();
    return ok(opened);
  } catch (cause) {
    await log.value.close();
    throw cause;
  }
}

/** Reads a log into a state; what its usages teach is learned unless it was learned before. */
function openingOf(head: RequestHead, { catalog }: SessionConfig, rates: LearnedRates): Opening {
  const { model, system, tools } = head;
  const known = new Set(Object.keys(rates.calibration.state().models));
  let isOpen = false;
  const opening = createOpening({
    before: JSON.stringify([system, tools]),
    head: featuresOf({ type: "head", system, tools }),
    pricesOf: (name = model) => catalog.prices(name).value,
    observe: (name = model, features, tokens) => {
      if (isOpen || !known.has(name)) rates.observe(name, features, tokens);
    },
  });
  return {
    visit: opening.visit,
    async finish(log) {
      const state = await opening.finish(log);
      isOpen = true;
      return state;
    },
  };
}

/** The flags whose values are part of a session's prefix. */
function prefixFlags(values: FlagValues): Partial<FlagValues> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => flagTable[name as FlagName].shapesPrefix),
  );
}

function homeOf({ home }: SessionOptions, { environment, homeFolder }: Runtime): string {
  return resolve(home ?? dataRoot(environment, homeFolder));
}
