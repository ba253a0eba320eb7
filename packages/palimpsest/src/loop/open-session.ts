import { resolve } from "node:path";
import {
  type SessionOptions as ContextOptions,
  openSession as openContext,
  type SessionHandle,
} from "@palimpsest/core";
import {
  checkHookFunctions,
  checkStartSource,
  sessionOptionNames as contextOptionNames,
  createEnvironmentMask,
  createHooks,
  createRuntime,
  isWithin,
  type OptionNames,
  systemShell,
  warnOfUnknownOptions,
} from "@palimpsest/core/internal";
import {
  type HookFunctions,
  type Hooks,
  type Model,
  type ModelName,
  type NoticeSource,
  ok,
  type PermissionMode,
  type PermissionRules,
  type Result,
  type Session,
  type SessionStartSource,
  type Tool,
} from "@palimpsest/core/spec";
import { createNodeDisk, dataRoot } from "@palimpsest/core/stores/files";
import { keysOf } from "../models/model-keys.ts";
import { checkRules, openWorkspace } from "../tools/permissions/index.ts";
import { createJudge, mergeRules } from "./create-judge.ts";
import { createLoop } from "./create-loop.ts";
import { resolveModel } from "./resolve-model.ts";
import type { LoopSetup } from "./run.ts";
import { type DayBudget, openDayBudget, withDayBudget } from "./with-day-budget.ts";

/** The parts of a session that notice sources may look at. */
export type NoticeContext = Pick<LoopSetup, "judge" | "resolve"> & { readonly handle: SessionHandle };

/** Options of a session that acts by itself, besides those that keep its context. */
export interface SessionOptions extends ContextOptions {
  /** A model, or the name of one. */
  readonly model?: Model | ModelName;
  /** Answers where the session's own model cannot. */
  readonly fallbackModel?: Model | ModelName;
  /** Those with `run` are run; the program answers calls of the others. */
  readonly tools?: readonly Tool[];
  /** Tools that are not sent: they are found by asking, or called through others. */
  readonly moreTools?: (name: string) => Tool | undefined;
  readonly hooks?: Hooks | HookFunctions;
  readonly notices?: readonly NoticeSource[] | ((context: NoticeContext) => readonly NoticeSource[]);
  readonly permissions?: PermissionRules;
  readonly mode?: PermissionMode;
  /** Folders it may work in besides its own. */
  readonly additionalFolders?: readonly string[];
  /** Real paths that may be read besides, the file of the plan, and the folder that only the memory tool changes. */
  readonly places?: {
    readonly readable?: readonly string[];
    readonly planFile?: string;
    readonly memoryFolder?: string;
  };
  /** Another agent has begun it, for a part of its work. */
  readonly isAgent?: boolean;
  /** What hooks are told of how the session begins, where that is not to be seen from its log; `clear` by `/clear`. */
  readonly startSource?: SessionStartSource;
  /** Done when the session is closed. */
  readonly onClose?: () => Promise<void>;
}

/** Every option of `openSession`. */
export const sessionOptionNames: OptionNames<SessionOptions> = {
  ...contextOptionNames,
  fallbackModel: true,
  moreTools: true,
  hooks: true,
  notices: true,
  permissions: true,
  mode: true,
  additionalFolders: true,
  places: true,
  isAgent: true,
  startSource: true,
  onClose: true,
};

/** Opens or begins a session that can run. Throws a `PalimpsestError` that says what is wrong and what to do. */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const {
    fallbackModel,
    moreTools,
    hooks,
    notices = [],
    permissions = {},
    mode,
    additionalFolders = [],
    places = {},
    isAgent = false,
    startSource,
    onClose,
    ...rest
  } = options;
  const checked = checkRules(permissions);
  if (!checked.ok) throw checked.error;
  const begun = startSource === undefined ? ok() : checkStartSource(startSource);
  if (!begun.ok) throw begun.error;
  const heard = isHooks(hooks) ? ok() : checkHookFunctions(hooks);
  if (!heard.ok) throw heard.error;
  const runtime = createRuntime();
  warnOfUnknownOptions("openSession", options, sessionOptionNames, runtime.warn);
  const { environment } = runtime;
  const cwd = options.cwd ?? runtime.workingFolder();
  const clock = options.clock ?? runtime.clock;
  const given = [options.model, fallbackModel].filter((one): one is Model => isModel(one));
  const keys = given.flatMap((model) => keysOf(model).map((value) => ({ name: "apiKey", value })));
  const byName = new Map(options.tools?.map((tool) => [tool.name, tool]));
  const setupFor = async (handle: SessionHandle): Promise<LoopSetup> => {
    const { settings } = handle.config();
    const disk = createNodeDisk();
    const { homeFolder } = runtime;
    const home = resolve(options.home ?? dataRoot(environment, homeFolder));
    const folders = [...additionalFolders, ...(settings.additionalFolders ?? [])];
    const workspace = await openWorkspace({ disk, cwd, homeFolder, additionalFolders: folders });
    for (const message of workspace.warnings) handle.emit({ type: "setting-ignored", message });
    const rules = mergeRules(settings.permissions ?? {}, permissions);
    const commands = { settings: settings.hooks, shell: systemShell, clock, environment, cwd };
    const { ids } = runtime;
    const { store } = options;
    const budget = openDayBudget({ settings, store, home, disk, clock, ids, dollars: handle.dollars });
    const judge = createJudge({ disk, cwd, homeFolder, rules, workspace: workspace.roots, ...places });
    return {
      modelFor: createModels(given, environment, budget),
      ...(fallbackModel !== undefined && { fallback: nameOf(fallbackModel) }),
      tools: (name) => byName.get(name) ?? moreTools?.(name),
      hooks: isHooks(hooks) ? hooks : createHooks({ functions: hooks, ...commands }),
      notices: typeof notices === "function" ? notices({ handle, ...judge }) : notices,
      ...judge,
      isOwnFile: (path) => isWithin(path, home),
      random: runtime.random,
    };
  };
  const loop = createLoop({
    setupFor,
    keys,
    isAgent,
    ...(options.isInteractive && { keepsWarm: true }),
    ...(startSource && { startSource }),
    ...(mode && { mode }),
    ...(onClose && { onClose }),
  });
  const sent = options.tools && { tools: options.tools.filter(({ isDeferred }) => !isDeferred) };
  try {
    return await openContext({ loop, ...rest, ...sent });
  } catch (cause) {
    if (options.secrets === false) throw cause;
    throw createEnvironmentMask(environment).error(cause);
  }
}

/** Each model is made once. */
function createModels(
  given: readonly Model[],
  environment: Readonly<Record<string, string | undefined>>,
  budget: DayBudget | null,
): (name: string) => Promise<Result<Model>> {
  const counted = (model: Model) => (budget ? withDayBudget(model, budget) : model);
  const made = new Map(given.map((model) => [model.name, counted(model)]));
  return async (name) => {
    const known = made.get(name);
    if (known) return ok(known);
    const resolved = await resolveModel(name, { environment, ...(given[0] && { given: given[0] }) });
    if (!resolved.ok) return resolved;
    const model = counted(resolved.value);
    made.set(name, model);
    return ok(model);
  };
}

const isModel = (model: Model | string | undefined): model is Model => typeof model === "object";
const nameOf = (model: Model | string) => (typeof model === "string" ? model : model.name);

function isHooks(hooks: Hooks | HookFunctions | undefined): hooks is Hooks {
  return typeof (hooks as Hooks | undefined)?.run === "function";
}
