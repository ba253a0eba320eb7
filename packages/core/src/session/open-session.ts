import { resolve } from "node:path";
import type { Provider } from "@openfeature/server-sdk";
import { answerPrices, type Catalog, normalizeModelName } from "../catalog/index.ts";
import { createRuntime, type Runtime } from "../runtime.ts";
import {
  type Clock,
  type Durability,
  type Event,
  type FlagName,
  type FlagValues,
  fail,
  type Ids,
  type Layer,
  ok,
  type QuerySource,
  type Result,
  type Session,
  type SessionHeader,
  type Settings,
  type Store,
} from "../spec/index.ts";
import { createNodeDisk, dataRoot, projectSlug } from "../stores/files/index.ts";
import { openNamedStores } from "../stores/open-stores.ts";
import { defaultEconomy } from "../view/economics/economy.ts";
import type { SessionUse } from "../view/economics/pauses.ts";
import { tellAssumptions } from "./assumptions.ts";
import { type CacheLifetime, createCacheLifetime } from "./cache/cache-lifetime.ts";
import { checkOptions, type OptionNames, warnOfUnknownOptions } from "./check-options.ts";
import { closeStoresWithSession } from "./close-stores-with-session.ts";
import { defaultLayers } from "./default-layers.ts";
import { flagTable } from "./flags/flag-table.ts";
import type { RequestHead } from "./head/request-head.ts";
import {
  defaultModel,
  type HeadOptions,
  headerAfter,
  headOf,
  readStoredHead,
  type StoredHead,
} from "./head/session-head.ts";
import { createHeader, headChange, stateHead } from "./head/store-head.ts";
import {
  createCatalogs,
  type KeptSettings,
  layerSettings,
  readKept,
  toStored,
  withFoundWindow,
} from "./kept-settings.ts";
import { type LearnedGaps, type LearnedRates, loadLearnedGaps, loadLearnedRates } from "./learned.ts";
import type { LoopPort, RelayPort, SessionHandle } from "./loop-port.ts";
import { openFork, openWholeLog, rootOf } from "./open-fork.ts";
import { createStateLoader, type StateLoader } from "./prepare/state-loader.ts";
import { createOwnMask, noMask, type OwnSecret, type OwnSecretMask, ownSecretsOf } from "./secrets/index.ts";
import { createSession } from "./session.ts";
import { type ConfigInput, loadConfigSettings, resolveConfig, type SessionConfig } from "./session-config.ts";
import type { SessionLog } from "./session-log.ts";
import { createEmitter, type SessionParts } from "./session-parts.ts";
import type { SessionState } from "./session-state.ts";
import type { SessionTrustLocations } from "./session-taint.ts";
import { withNewNames } from "./settings/old-settings.ts";

export interface SessionOptions extends HeadOptions {
  readonly cwd?: string;
  readonly home?: string;
  readonly id?: string;
  /** Go on with the session of that id. */
  readonly resume?: boolean;
  readonly readOnly?: boolean;
  readonly store?: Store;
  /** In place of files: a database, as `postgres://…`. Connections are closed with the session. */
  readonly databaseUrl?: string;
  readonly durability?: Durability;
  /** Stronger than the environment and every settings file. Stored with the session, but for what may hold keys. */
  readonly settings?: Settings;
  /** Default true: a resumed session has the settings that it was opened with, where none are given anew. */
  readonly keepsSettings?: boolean;
  /** Any OpenFeature provider, for flags. */
  readonly flagProvider?: Provider;
  /** In place of `defaultLayers()`. */
  readonly layers?: readonly Layer[];
  /** Which files are trusted; absent: none, so that everything tools give is untrusted. */
  readonly trustPlaces?: SessionTrustLocations;
  readonly clock?: Clock;
  /**
   * Whether a person answers between turns, as in a chat; default: nobody is waited for. Pauses are learned for each
   * apart, and the lifetime of the prompt cache is chosen by them.
   */
  readonly isInteractive?: boolean;
  /**
   * Values that are masked besides those of the environment, by the names to show in their place, in results of tools,
   * attachments, events and errors. `false`: nothing is masked.
   */
  readonly secrets?: Readonly<Record<string, string>> | false;
  /** Hears what happens. What it throws is dropped: a listener cannot harm a session. */
  readonly onEvent?: (event: Event) => unknown;
  /** The port that lets the session act by itself: `run`, `queue`, `fork`. `palimpsest` has one, and hands it in. */
  readonly loop?: LoopPort;
  /** Says which request is read again to keep the cache warm, where another program sends them: the gateway's. */
  readonly relay?: RelayPort;
}

/** Every option of this package's `openSession`. */
export const sessionOptionNames: OptionNames<SessionOptions> = {
  model: true,
  system: true,
  tools: true,
  request: true,
  keepsHead: true,
  keepsUnknownBlocks: true,
  cwd: true,
  home: true,
  id: true,
  resume: true,
  readOnly: true,
  store: true,
  databaseUrl: true,
  durability: true,
  settings: true,
  keepsSettings: true,
  flagProvider: true,
  layers: true,
  trustPlaces: true,
  secrets: true,
  clock: true,
  isInteractive: true,
  onEvent: true,
  loop: true,
  relay: true,
};

/** Opens or begins a session. Throws a `PalimpsestError` that says what is wrong and what to do. */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const checked = checkOptions(options);
  if (!checked.ok) throw checked.error;
  warnOfUnknownOptions("openSession", options, sessionOptionNames, createRuntime().warn);
  if (options.store !== undefined) return must(await open(options, options.store));
  const stores = must(await openNamedStores(options));
  try {
    const project = must(await projectSlug(createNodeDisk(), options.cwd ?? createRuntime().workingFolder()));
    const session = must(await open(options, stores.store(project)));
    return options.databaseUrl === undefined ? session : closeStoresWithSession(session, stores);
  } catch (cause) {
    await stores.close();
    throw cause;
  }
}

async function open(options: SessionOptions, given: Store): Promise<Result<Session>> {
  const location = locationOf(options, given);
  if (!location.ok) return location;
  const { store, session, cwd } = location.value;
  const storedFlags = store.flags ? await store.flags.read() : ok(undefined);
  if (!storedFlags.ok) return storedFlags;
  const asked = { ...location.value.input, storedFlags: storedFlags.value };
  const loaded = await loadConfigSettings(asked);
  if (!loaded.ok) return loaded;
  const input = { ...asked, options: withNewNames(asked.options).settings };
  const { settings } = loaded.value;
  const settingsToStore = toStored(options.settings ?? {});
  /** The question with what a resumed session keeps, weaker than what is given now. */
  const questionWith = (kept: Settings): ConfigRequest => ({
    ...input,
    options: layerSettings(kept, input.options),
    loaded: { ...loaded.value, settings: layerSettings(settings, kept, settingsToStore) },
  });
  const begin = (stored: StoredHead, kept: Settings) => beginWith(stored, options, questionWith(kept));

  const isNew = !options.resume && !options.readOnly;
  const fresh = isNew ? await begin({}, {}) : ok(undefined);
  if (!fresh.ok) return fresh;
  const header = fresh.value
    ? await headerOf(
        fresh.value,
        { store, session, cwd },
        withFoundWindow(settingsToStore, fresh.value.config),
      )
    : ok(undefined);
  if (!header.ok) return header;
  const rates = await loadLearnedRates(store.learned);
  const keptBy = (found: SessionHeader | undefined) => readKept(found, options.keepsSettings);
  const catalogOf = createCatalogs((found) => questionWith(keptBy(found).settings).loaded.settings);
  const loader = stateLoaderOf(catalogOf, rates, options.trustPlaces);
  const durability = options.durability ?? settings.durability ?? "process";
  const log = await openWholeLog({
    store,
    session,
    first: header.value && { kind: "session", session: header.value },
    isReadOnly: options.readOnly ?? false,
    durability,
    visit: loader.visit,
  });
  if (!log.ok) return log;
  try {
    const state = must(await loader.finish(log.value));
    const stored = isNew ? {} : must(await readStoredHead(store, rootOf(session), loader.header, options));
    const kept = isNew ? { settings: {} } : keptBy(loader.header);
    const begun = fresh.value ?? must(await begin(stored, kept.settings));
    const configFor = configsOf({ ...questionWith(kept.settings), keptFlags: stored.flags }, begun);
    const opened = {
      state,
      stored,
      rates,
      log: log.value,
      begun,
      header: loader.header,
      settingsToStore,
      kept,
    };
    return ok(await assemble(options, location.value, { ...opened, durability, configFor }));
  } catch (cause) {
    await log.value.close();
    throw cause;
  }
}

type ConfigRequest = Omit<ConfigInput, "model"> & Required<Pick<ConfigInput, "loaded">>;

/** Where a session lives, and what is asked about what was set. */
interface Location {
  readonly store: Store;
  readonly session: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly input: Omit<ConfigInput, "model">;
}

function locationOf(options: SessionOptions, store: Store): Result<Location> {
  const runtime = createRuntime();
  const { clock = runtime.clock, cwd = runtime.workingFolder() } = options;
  if ((options.resume || options.readOnly) && options.id === undefined) {
    return fail("invalid-input", "No session is named.", { path: "id", fix: "Give its id." });
  }
  const session = options.id ?? runtime.ids.next("ses");
  /** A program that brings its own store has settings files only where it says so. */
  const hasFiles = !options.store || options.home !== undefined || options.cwd !== undefined;
  const input = {
    options: options.settings ?? {},
    environment: runtime.environment,
    files: hasFiles ? { disk: createNodeDisk(), home: homeOf(options, runtime), project: cwd } : undefined,
    provider: options.flagProvider,
    clock,
  };
  return ok({ store, session, cwd, clock, ids: runtime.ids, input });
}

/** The start of a session, once it is known what requests begin with. */
interface SessionStart {
  readonly head: RequestHead;
  readonly config: SessionConfig;
}

async function beginWith(
  stored: StoredHead,
  options: SessionOptions,
  input: Omit<ConfigInput, "model">,
): Promise<Result<SessionStart>> {
  const head = headOf(stored, options);
  if (!head.ok) return head;
  const { model, fields } = head.value;
  const betas = fields.betas as readonly string[] | undefined;
  const config = await resolveConfig({ ...input, model, keptFlags: stored.flags, betas });
  if (!config.ok) return config;
  const { windowRefusal } = config.value;
  if (windowRefusal === undefined || options.model === undefined || options.readOnly)
    return ok({ head: head.value, config: config.value });
  return fail("invalid-input", `model: ${windowRefusal}`, {
    path: "model",
    fix: "Leave “[1m]” out, or name a model with that window. If the catalog is wrong, set its “longWindow”.",
  });
}

/** The settings, as they hold for other models than the session began with. */
function configsOf(
  input: Omit<ConfigInput, "model">,
  { head, config }: SessionStart,
): SessionParts["configFor"] {
  const betas = head.fields.betas as readonly string[] | undefined;
  const { economy = defaultEconomy } = config.settings;
  return (model, told) => resolveConfig({ ...input, model, betas, economy, ...(told && { told }) });
}

interface OpenedParts extends Pick<SessionParts, "durability" | "configFor"> {
  readonly begun: SessionStart;
  readonly stored: StoredHead;
  /** The header of requests in the log. */
  readonly header: SessionHeader | undefined;
  readonly state: SessionState;
  readonly log: SessionLog;
  readonly rates: LearnedRates;
  /** The program's settings that are stored, given now and kept from before. */
  readonly settingsToStore: Settings;
  readonly kept: KeptSettings;
}

/** Puts a session together whose log is open, announces it, and lets the layers begin. */
async function assemble(options: SessionOptions, location: Location, parts: OpenedParts): Promise<Session> {
  const { store, session, clock, ids } = location;
  const { begun, stored, header, state, log, rates, kept, durability, configFor } = parts;
  const { loop } = options;
  const { head, config } = begun;
  const { system, tools } = head;
  state.begin(stateHead(system, tools));
  let known = header;
  if (!log.isReadOnly && stored.header) {
    const settings = withFoundWindow(layerSettings(kept.settings, parts.settingsToStore), config);
    const change = must(await headChange(store, rootOf(session), header, head, settings, stored.lost));
    for (const entry of change ? must(await log.append([change])) : []) {
      state.add(entry);
      known = headerAfter(known, entry);
    }
  }
  const secrets = maskOf(options.secrets, location.input.environment, config.settings, loop?.keys);
  const emit = createEmitter(session, clock, options.onEvent, secrets);
  for (const { message } of config.warnings) emit({ type: "setting-ignored", message });
  emit({ type: "session-open", report: log.report, readOnly: log.isReadOnly });
  for (const message of [config.windowRefusal, stored.problem, kept.problem, rates.problem])
    if (message !== undefined) emit({ type: "setting-ignored", message });
  for (const { part, blob, isGiven, message } of stored.lost ?? [])
    emit({ type: "value-lost", part, blob, replacedBy: isGiven ? "caller" : "nothing", message });
  tellAssumptions(config, emit);
  const layers = options.layers ?? defaultLayers();
  const use = useOf(options);
  const gaps = await loadLearnedGaps(store.learned, use);
  const lifetime = lifetimeOf(config, state, gaps, emit);
  const around = loop && { loop, surroundings: (handle: SessionHandle) => loop.surroundings(handle) };
  const shared = {
    head,
    store,
    clock,
    ids,
    layers,
    config,
    rates,
    gaps,
    lifetime,
    durability,
    secrets,
    configFor,
    ...around,
  };
  const forkParts: SessionParts["forkParts"] = async (from, kind) => {
    const forkHeader = await headerOf({ head: from.head, config: from.config }, location, {}, known);
    if (!forkHeader.ok) return forkHeader;
    const emitFor = (fork: string) => createEmitter(fork, clock, options.onEvent, secrets);
    return openFork({ parts: from, kind, header: forkHeader.value, emitFor });
  };
  const made = createSession({
    ...shared,
    id: session,
    source: sourceOf(session, header),
    ...(header?.parent && { parent: header.parent }),
    cwd: location.cwd,
    state,
    log,
    emit,
    forkParts,
    ...(options.relay && { relay: options.relay }),
  });
  if (!made.session.isReadOnly) await made.start();
  options.relay?.open(made.handle);
  return made.session;
}

function useOf({ relay, isInteractive }: SessionOptions): SessionUse {
  if (relay) return "relayed";
  return isInteractive ? "interactive" : "unattended";
}

/** A fork that is opened again is still what it was made for. */
function sourceOf(session: string, header: SessionHeader | undefined): QuerySource {
  return header?.parent?.kind ?? (rootOf(session) === session ? "main" : "agent");
}

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw result.error;
  return result.value;
}

/** The head of an agent's requests is kept where its session's is. */
async function headerOf(
  { head, config }: SessionStart,
  { store, session, cwd }: { readonly store: Store; readonly session: string; readonly cwd: string },
  settings: Settings = {},
  known?: SessionHeader,
): Promise<Result<SessionHeader>> {
  const root = rootOf(session);
  const flags = prefixFlags(config.flags.values);
  const header = await createHeader(store, root, cwd, head, { flags, settings, ...(known && { known }) });
  if (header.ok) return ok({ ...header.value, id: session });
  const { code, path, fix } = header.error;
  return code === "invalid-input" && path === root
    ? fail(code, `“${session}” is not a session id.`, { path: session, ...(fix !== undefined && { fix }) })
    : header;
}

/** Reads a log into a state; what its usages teach is learned unless it was learned before. */
function stateLoaderOf(
  catalogOf: (header: SessionHeader | undefined) => Catalog,
  rates: LearnedRates,
  locations: SessionTrustLocations | undefined,
): StateLoader {
  const known = new Set(Object.keys(rates.calibration.state().models).map(normalizeModelName));
  let isOpen = false;
  const loader: StateLoader = createStateLoader({
    ...(locations && { locations }),
    pricesOf: (answered, asked = answered ?? defaultModel) =>
      answerPrices(catalogOf(loader.header), answered, asked),
    observe: (model = defaultModel, features, tokens) => {
      if (isOpen || !known.has(normalizeModelName(model))) rates.observe(model, features, tokens);
    },
  });
  return {
    visit: loader.visit,
    get header() {
      return loader.header;
    },
    async finish(log) {
      const state = await loader.finish(log);
      isOpen = true;
      return state;
    },
  };
}

/** The lifetime that was set, or one that is chosen before each request; until then that of what was written last. */
export function lifetimeOf(
  { settings: { cacheTtl = "auto" } }: Pick<SessionConfig, "settings">,
  { statistics: { caching } }: Pick<SessionState, "statistics">,
  { pauses }: LearnedGaps,
  emit: SessionParts["emit"],
): CacheLifetime {
  if (cacheTtl !== "auto") return createCacheLifetime({ pauses, emit, set: cacheTtl });
  const written = caching === "5m" || caching === "1h" ? { written: caching } : {};
  return createCacheLifetime({ pauses, emit, ...written });
}

/** Masks the keys of this process: of its environment, its settings, its models, and those the program names. */
function maskOf(
  given: SessionOptions["secrets"],
  environment: Runtime["environment"],
  settings: Settings,
  keys: readonly OwnSecret[] = [],
): OwnSecretMask {
  if (given === false || settings.maskOwnSecrets === false) return noMask;
  const named = Object.entries(given ?? {}).map(([name, value]) => ({ name, value }));
  return createOwnMask(ownSecretsOf({ environment, settings, given: [...named, ...keys] }));
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
