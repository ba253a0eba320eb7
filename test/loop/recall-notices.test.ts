import { describe, expect, it } from "vitest";
import { createRecallNotices } from "../../packages/core/src/recall/notice/index.ts";
import { ok } from "../../packages/core/src/spec/index.ts";
import { say } from "../../packages/testing/src/index.ts";
import { bodiesOf, setStage } from "./stage.ts";

describe("memories in a run", () => {
  it("stand before what the user says, as data, once for as long as they are in view", async () => {
    const queries: string[] = [];
    const stage = await setStage({
      script: [say("Tea."), say("Still tea.")],
      notices: ({ handle }) => [
        createRecallNotices({
          async search(query) {
            queries.push(query);
            return ok([{ kind: "memory", score: 1, path: "tea.md", text: "Likes tea." }]);
          },
          render: ({ path, text }) => `<recalled memory="${path}">${text}</recalled>`,
          view: handle.view,
          clock: handle.clock,
        }),
      ],
    });
    await stage.run("What do I drink?");
    await stage.run("And today?");
    expect(queries).toEqual(["What do I drink?", "And today?"]);
    const [first = "", second = ""] = bodiesOf(stage);
    const shown =
      '<attachment type=\\"memory\\">\\n<recalled memory=\\"tea.md\\">Likes tea.</recalled>\\n</attachment>';
    expect(first.indexOf(shown)).toBeGreaterThan(-1);
    expect(first.indexOf(shown)).toBeLessThan(first.indexOf("What do I drink?"));
    expect(second.split("Likes tea.")).toHaveLength(2);
  });
});
