import type { AgentTree } from "../../../loop/agents/index.ts";
import type { TaskSource } from "../../../tools/shell/index.ts";
import type { Background } from "../state/chat-state.ts";

/** Who knows what the model has begun beside the conversation. */
export interface BackgroundSources {
  readonly agents: Pick<AgentTree, "tasks" | "statuses">;
  readonly commands: TaskSource;
}

export interface BackgroundWatch {
  /** Tells how everything is now, and once more when something of it ends. */
  look(): void;
  /** Ends one of them; resolves once it has ended. One that is not there has ended. */
  stop(id: string): Promise<void>;
  /** Nothing is told any more. */
  close(): void;
}

/** Looks only when it is asked to, and when something ends: no timer runs. */
export function watchBackground(
  { agents, commands }: BackgroundSources,
  tell: (background: Background) => void,
): BackgroundWatch {
  const watched = new Set<string>();
  let isClosed = false;
  const tasks = () => [...agents.tasks(), ...commands.tasks()];

  function look(): void {
    if (isClosed) return;
    for (const { id, isRunning, ended } of tasks()) {
      if (!isRunning || watched.has(id)) continue;
      watched.add(id);
      void ended.then(look);
    }
    tell({
      agents: agents.statuses(),
      commands: commands.tasks().map(({ id, title, isRunning, outcome }) => ({
        id,
        title,
        isRunning,
        ...(outcome !== undefined && { outcome }),
      })),
    });
  }

  return {
    look,
    stop: async (id) =>
      tasks()
        .find((task) => task.id === id)
        ?.stop(),
    close() {
      isClosed = true;
    },
  };
}
