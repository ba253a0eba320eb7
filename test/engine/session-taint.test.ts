import { describe, expect, it } from "vitest";
import { openSession, type SessionOptions } from "../../packages/core/src/session/open-session.ts";
import { createSessionState } from "../../packages/core/src/session/session-state.ts";
import type { Layer, Session, Taint } from "../../packages/core/src/spec/index.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

/** A layer that only looks: what the view said of its taint at the end of each turn. */
function witness(seen: (Taint | undefined)[]): Layer {
  return {
    id: "memory",
    moments: ["turn-end"],
    decide(view) {
      seen.push(view.taint);
      return { verdict: "skip", reason: "it only looks" };
    },
    apply: async () => ({ ok: true, value: [] }),
  };
}

async function begin(options: Partial<SessionOptions> = {}) {
  const seen: (Taint | undefined)[] = [];
  const session = await openSession({
    store: createVirtualStore(),
    id: "one",
    layers: [witness(seen)],
    ...options,
  });
  return { session, seen };
}

async function turn(session: Session, path?: string): Promise<string> {
  const { id } = await session.add({ role: "user", content: "Go on." });
  if (path !== undefined) {
    const call = { type: "tool_use", id: `t${id}`, name: "Read", input: { file_path: path } };
    await session.add({ role: "assistant", content: [call] });
    await session.add({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: `t${id}`, content: "x" }],
    });
  }
  await session.add({ role: "assistant", content: "Done.", stopReason: "end_turn" });
  return id;
}

const trustLocations = {
  cwd: "/work",
  folders: ["/work"],
  isTracked: (path: string) => path === "/work/a.ts",
};
const worth = (seen: readonly (Taint | undefined)[]) =>
  seen.map((taint) => [taint?.trust, ...(taint?.because ?? []).map(({ kind, name }) => `${kind} ${name}`)]);

describe("the taint of a session", () => {
  it("follows what is in view: trusted by default only what the user says", async () => {
    const { session, seen } = await begin();
    await turn(session);
    await turn(session, "/work/a.ts");
    expect(worth(seen)).toEqual([["trusted"], ["untrusted", "outside-file /work/a.ts"]]);
    await session.close();
  });

  it("knows the files that are under version control", async () => {
    const { session, seen } = await begin({ trustPlaces: trustLocations });
    await turn(session, "/work/a.ts");
    await turn(session, "b.ts");
    expect(worth(seen)).toEqual([["trusted"], ["untrusted", "ignored-file b.ts"]]);
    await session.close();
  });

  it("goes back with the session, and is the same when it is opened again", async () => {
    const store = createVirtualStore();
    const { session, seen } = await begin({ store, trustPlaces: trustLocations });
    const first = await turn(session);
    await turn(session, "/etc/motd");
    await session.close();
    const again = await begin({ store, trustPlaces: trustLocations, resume: true });
    await turn(again.session);
    await again.session.rewind(first);
    await turn(again.session);
    expect(worth([...seen, ...again.seen])).toEqual([
      ["trusted"],
      ["untrusted", "outside-file /etc/motd"],
      ["untrusted", "outside-file /etc/motd"],
      ["trusted"],
    ]);
    await again.session.close();
  });

  it("is handed on to a copy, which goes on by itself", () => {
    const state = createSessionState({ pricesOf: () => ({}) as never });
    const copy = state.copy();
    const message = { type: "user" as const, content: "x", isMeta: true };
    const entry = {
      id: "e1",
      seq: 1,
      epoch: 1,
      at: "2026-01-01T00:00:00.000Z",
      v: 1,
      kind: "message",
      message,
    };
    copy.add(entry as never);
    expect([state.taint.trust, copy.taint.trust, copy.copy().taint.trust]).toEqual([
      "trusted",
      "untrusted",
      "untrusted",
    ]);
  });

  it("refuses places that can tell nothing", async () => {
    await expect(begin({ trustPlaces: {} as never })).rejects.toThrow("trustPlaces: expected places");
  });
});
