import { createDreamLayer, createRuntime, writeDailyLog } from "@palimpsest/core/internal";
import {
  type BackgroundWork,
  type Clock,
  type Layer,
  ok,
  type ProjectStore,
  type Settings,
} from "@palimpsest/core/spec";
import type { SessionOptions } from "../open-session.ts";
import { hasWorker } from "../work/create-extraction-work.ts";
import type { ProjectDreams } from "./project-dreams.ts";

export interface AgentDreamOptions extends Pick<SessionOptions, "model" | "fallbackModel"> {
  /** Of the agent's project; absent where the agent brings a store of its own: nobody dreams there. */
  readonly store?: ProjectStore | undefined;
  readonly home: string;
  readonly cwd: string;
  readonly clock: Clock;
  /** The agent's session, which is not counted. */
  readonly id: string;
  /** Default true; see `DreamLayerPorts`. */
  readonly isLongLived?: boolean;
  /** Of all files and options together. */
  readonly settings: Settings;
  readonly onWarning?: (text: string) => void;
  /** Where a worker dreams for the agent, if one is there. */
  readonly work?: BackgroundWork;
  /** The project's slug. */
  readonly project?: string;
}

/**
 * Layer 6 for an agent: its project's memory is put in order by a model, in a session of its own. Nothing is opened
 * before the layer is first begun.
 */
export function createAgentDream(options: AgentDreamOptions): readonly Layer[] {
  return options.store ? [createLayer(options, options.store)] : [];
}

function createLayer(options: AgentDreamOptions, store: ProjectStore): Layer {
  const { home, cwd, clock, id, settings, model, fallbackModel, onWarning, isLongLived = true } = options;
  let opening: ReturnType<typeof open> | undefined;

  async function open() {
    const { openProjectDreams } = await import("./project-dreams.ts");
    const { ids, homeFolder } = createRuntime();
    const dreams = openProjectDreams({
      store,
      home,
      cwd,
      homeFolder,
      clock,
      ids,
      sessionId: id,
      settings,
      ...(model !== undefined && { model }),
      ...(fallbackModel !== undefined && { fallbackModel }),
      ...(onWarning && { onWarning }),
    });
    return ok({ dreams: dreams as ProjectDreams, memory: store.tree("memory") });
  }

  const place = () => {
    opening ??= open();
    return opening;
  };
  /** Where a worker is there, it dreams, and is told to once it may be time: nothing is queued before. */
  async function isForWorker(dreams: ProjectDreams): Promise<boolean> {
    const { work, project } = options;
    if (!work || project === undefined || !(await hasWorker(work, "dream"))) return false;
    const due = await dreams.isDue();
    return due.ok && (!due.value || (await work.enqueue({ kind: "dream", project, cwd })).ok);
  }

  return createDreamLayer({
    hasMemory: true,
    isLongLived,
    async dream(emit, signal) {
      const opened = await place();
      if (!opened.ok) return opened;
      const { dreams } = opened.value;
      if (await isForWorker(dreams)) return ok();
      const dreamer = {
        by: "model" as const,
        dream: async (...given: Parameters<ProjectDreams["scribe"]["dream"]>) =>
          (await dreams.modelDreamer()).dream(...given),
      };
      return dreams.once(dreamer, { emit, signal });
    },
    async logTurn(text) {
      const opened = await place();
      if (!opened.ok) return opened;
      const { dreams, memory } = opened.value;
      const masked = await dreams.mask(text);
      if (!masked.ok) return masked;
      const at = new Date(clock.now()).toISOString();
      return writeDailyLog(memory, { at, text: masked.value.text, session: id });
    },
  }) as Layer;
}
