import { describe, expect, it } from "vitest";
import type { Decision, Layer, Session, View } from "../../packages/core/src/spec/index.ts";
import { openAgent } from "../../packages/palimpsest/src/loop/agent/open-agent.ts";
import { compaction, decisionHead } from "../support/acting-layer.ts";
import { modelAt } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { ctrl, enter, escapeKey, openChat, ready, up } from "./open-chat.ts";

/** A layer that decides what it is told to, when a request is made. */
function createDecider() {
  let due: ((view: View) => Decision) | null = null;
  const layer: Layer<Decision> = {
    id: "told",
    moments: ["before-request"],
    decide(view) {
      const make = due;
      due = null;
      if (!make) return { verdict: "skip", reason: "nothing is due" };
      const command = make(view);
      return { verdict: "act", command, run: "inline", reason: "due", frees: 0, basis: view.head };
    },
    apply: async (decision) => ({ ok: true, value: [{ kind: "decision", decision }] }),
  };
  return {
    layer: layer as Layer,
    async decide(session: Session, make: (view: View) => Decision) {
      due = make;
      await session.prepare();
    },
  };
}

/** A question, a call and its result; the ids of the entries. */
async function round(session: Session, name: string) {
  const asked = await session.add({ role: "user", content: `the question ${name}` });
  const call = { type: "tool_use", id: `call_${name}`, name: "Read", input: { file_path: `${name}.txt` } };
  const called = await session.add({ role: "assistant", id: `msg_${name}`, content: [call] });
  const result = { type: "tool_result", tool_use_id: call.id, content: `the original of ${name}` };
  const answered = await session.add({ role: "user", content: [result] });
  await session.add({
    role: "assistant",
    id: `msg_${name}_end`,
    content: [{ type: "text", text: `the answer ${name}` }],
  });
  return { asked: asked.id, called: called.id, answered: answered.id, toolUseId: call.id };
}

/** A session that has something of every kind that the model no longer sees. */
async function openMarked() {
  const [home, project] = [await temporaryFolder(), await temporaryFolder()];
  const { emulator } = await emulate();
  const { layer, decide } = createDecider();
  const session = await openAgent({
    home,
    cwd: project,
    id: "marked",
    model: modelAt(emulator),
    layers: [layer],
  });
  await round(session, "compacted");
  await decide(session, compaction);
  const cleared = await round(session, "cleared");
  const folded = await round(session, "folded");
  const snipped = await round(session, "snipped");
  const offloaded = await round(session, "offloaded");
  await decide(session, ({ head }) => ({
    ...decisionHead,
    type: "clear",
    basis: head,
    parts: [{ toolUseId: cleared.toolUseId, part: "result", label: "[cleared]" }],
  }));
  await decide(session, ({ head }) => ({
    ...decisionHead,
    type: "fold",
    basis: head,
    from: folded.called,
    to: folded.answered,
    summary: "[what the span came to]",
  }));
  await decide(session, ({ head }) => ({
    ...decisionHead,
    type: "snip",
    basis: head,
    entries: [snipped.called, snipped.answered],
    marker: "[snipped]",
  }));
  await decide(session, ({ head }) => ({
    ...decisionHead,
    type: "offload",
    basis: head,
    results: [{ toolUseId: offloaded.toolUseId, preview: "[a preview]" }],
  }));
  const kept = await session.add({ role: "user", content: "the question kept" });
  await session.add({
    role: "assistant",
    id: "msg_kept",
    content: [{ type: "text", text: "the answer kept" }],
  });
  await session.add({ role: "user", content: "the question rewound" });
  await session.rewind(kept.id);
  await session.close();
  return openChat({ home, project, emulator, rows: 60, columns: 100, first: { id: "marked" } });
}

describe("the transcript", () => {
  it("says of everything that the model no longer sees what hides it, and opens the original", async () => {
    const { terminal } = await openMarked();
    terminal.type(ctrl("o"));
    const shown = await terminal.until(/Transcript: \d+ things, \d+ of them hidden from the model/);
    const rows = shown.split("\n");
    const marks = rows.slice(0, -1).flatMap((row) => {
      const [, text, mark] =
        /(the (?:original|question|answer).*?|Read \S+)(?: {2}\[(.*)\])?$/.exec(row) ?? [];
      return text === undefined ? [] : [[text, mark ?? null]];
    });
    expect(marks).toEqual([
      ["the question compacted", "compacted"],
      ["Read compacted.txt", "compacted"],
      ["the original of compacted", "compacted"],
      ["the answer compacted", "compacted"],
      ["the question cleared", null],
      ["Read cleared.txt", null],
      ["the original of cleared", "cleared"],
      ["the answer cleared", null],
      ["the question folded", null],
      ["Read folded.txt", "folded"],
      ["the original of folded", "folded"],
      ["the answer folded", null],
      ["the question snipped", null],
      ["Read snipped.txt", "snipped"],
      ["the original of snipped", "snipped"],
      ["the answer snipped", null],
      ["the question offloaded", null],
      ["Read offloaded.txt", null],
      ["the original of offloaded", "on disk"],
      ["the answer offloaded", null],
      ["the question kept", null],
      ["the answer kept", "rewound"],
      ["the question rewound", "rewound"],
    ]);
    const chosen = rows.findIndex((row) => row.startsWith("❯"));
    for (const name of ["compacted", "cleared", "folded", "snipped", "offloaded"]) {
      const at = rows.findIndex((row) => row.includes(`the original of ${name}`));
      terminal.type(up.repeat(chosen - at));
      await terminal.until((screen) => screen.split("\n")[at]?.startsWith("❯") ?? false);
      terminal.type(enter);
      const opened = await terminal.until(new RegExp(`\nthe original of ${name}\n[\\s\\S]*Esc goes back`));
      expect(opened.split("\n")[0]).toContain(name === "offloaded" ? "[on disk]" : `[${name}]`);
      terminal.type(escapeKey);
      await terminal.until(/Esc leaves/);
      terminal.type("\u001b[F");
      await terminal.until((screen) => screen.split("\n")[chosen]?.startsWith("❯") ?? false);
    }
    terminal.type(escapeKey);
    await terminal.until(ready);
  });

  it("shows what stands in the place of the past", async () => {
    const { terminal } = await openMarked();
    terminal.type(ctrl("o"));
    const shown = await terminal.until(/Transcript:/);
    const rows = shown.split("\n");
    const at = rows.findIndex((row) => /✂ compact/.test(row));
    const chosen = rows.findIndex((row) => row.startsWith("❯"));
    terminal.type(up.repeat(chosen - at));
    await terminal.until((screen) => screen.split("\n")[at]?.startsWith("❯") ?? false);
    terminal.type(enter);
    await terminal.until(/what happened[\s\S]*Esc goes back/);
  });
});
