import { describe, expect, it } from "vitest";
import type { Layer, Moment } from "../../packages/core/src/spec/index.ts";
import { beginSession, entriesOf } from "../support/virtual-session.ts";

describe("attach", () => {
  it("puts data at the end of the conversation, wrapped, and begins no turn", async () => {
    const seen: Moment["kind"][] = [];
    const watcher: Layer = {
      id: "watcher",
      moments: ["turn-start", "tool-round", "turn-end"],
      decide(_view, { kind }) {
        seen.push(kind);
        return { verdict: "skip", reason: "it only watches" };
      },
      apply: async () => ({ ok: true, value: [] }),
    };
    const session = await beginSession({ layers: [watcher] });
    await session.attach({ subtype: "rules", text: "Use tabs." });
    expect(seen).toEqual([]);
    await session.add({ role: "user", content: "Hello." });
    expect(seen).toEqual(["turn-start"]);
    const { request } = await session.prepare();
    expect(request.messages).toMatchObject([
      {
        role: "user",
        content: [{ text: '<attachment type="rules">\nUse tabs.\n</attachment>' }, { text: "Hello." }],
      },
    ]);
    const kinds = (await entriesOf(session)).flatMap((entry) =>
      entry.kind === "message" ? entry.message.type : [],
    );
    expect(kinds).toEqual(["attachment", "user"]);
    await session.close();
  });

  it("refuses what says nothing", async () => {
    const session = await beginSession();
    await expect(session.attach({ subtype: "rules", text: " " })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await session.close();
  });
});
