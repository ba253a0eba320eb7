import { onTestFinished } from "vitest";
import type { SessionTrustLocations } from "../../packages/core/src/session/session-taint.ts";
import type {
  Decision,
  Entry,
  EntryDraft,
  Layer,
  Session,
  View,
} from "../../packages/core/src/spec/index.ts";
import { openForkable } from "../engine/fork-support.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

/** A session on its log, to which one thing after the other happens. */
export interface Trace {
  session: Session;
  entries(): Promise<readonly Entry[]>;
  /** A layer decides it before the next request, on what is in view. */
  decide(make: (view: View, entries: readonly Entry[]) => Partial<Decision> | EntryDraft): Promise<void>;
  /** Closes the session, and opens it again from its log. */
  resume(): Promise<void>;
  /** From here on a fork is looked at. */
  fork(): Promise<void>;
  view(): Promise<View>;
}

export type Step = (trace: Trace) => Promise<unknown>;

const tracked = new Set(["/work/src/a.ts", "/work/README.md", "/work/AGENTS.md", "/work/vendor/lib.go"]);
const trustLocations: SessionTrustLocations = {
  cwd: "/work",
  folders: ["/work"],
  isTracked: (path) => tracked.has(path),
  isOwn: (path) => path === "/home/me/.palimpsest/AGENTS.md",
  memoryTool: "memory",
};

export async function beginTrace(): Promise<Trace> {
  const store = createVirtualStore();
  let due: ((view: View) => readonly EntryDraft[]) | null = null;
  const layer: Layer<readonly EntryDraft[]> = {
    id: "traced",
    moments: ["before-request"],
    decide(view) {
      if (due === null) return { verdict: "skip", reason: "nothing is due" };
      const command = due(view);
      due = null;
      return { verdict: "act", command, run: "inline", reason: "due", frees: 0, basis: view.head };
    },
    apply: async (value) => ({ ok: true, value }),
  };
  const open = (resume: boolean) =>
    openForkable({ store, layers: [layer as Layer], trustPlaces: trustLocations, resume });
  let opened = await open(false);
  let seen: () => Promise<View> = async () => (await opened.handle()).view();
  const trace: Trace = {
    session: opened.session,
    async entries() {
      const all: Entry[] = [];
      for await (const entry of trace.session.entries()) all.push(entry);
      return all;
    },
    async decide(make) {
      const entries = await trace.entries();
      due = (view) => {
        const made = make(view, entries);
        if ("kind" in made) return [made];
        const decision = { layer: "traced", reason: "due", frees: 0, basis: view.head, ...made } as Decision;
        return [{ kind: "decision", decision }];
      };
      const { report } = await trace.session.prepare();
      const told = report.layers.find(({ layer: id }) => id === "traced");
      if (told?.outcome !== "act") throw new Error(`the decision was not made: ${JSON.stringify(told)}`);
    },
    async resume() {
      await trace.session.close();
      opened = await open(true);
      trace.session = opened.session;
    },
    async fork() {
      const handle = await opened.fork();
      seen = async () => handle.view();
    },
    view: () => seen(),
  };
  onTestFinished(() => trace.session.close());
  return trace;
}
