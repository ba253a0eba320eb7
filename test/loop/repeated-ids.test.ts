import { expect, it } from "vitest";
import { type ContentBlock, isBlock, type LoopEvent, type Tool } from "../../packages/core/src/spec/index.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import { providers, setStage } from "./stage.ts";

it.each(providers)(
  "a server that names its call alike in every answer gets them all back, over %s",
  async (provider) => {
    const ran: unknown[] = [];
    const page: Tool = {
      name: "page",
      description: "Gives a page.",
      input_schema: { type: "object" },
      isReadOnly: true,
      run: async (input) => {
        ran.push(input);
        return { content: `page ${JSON.stringify(input)}` };
      },
    };
    const stage = await setStage({
      provider,
      tools: [page],
      script: (_, { answered }) =>
        answered < 4 ? callTool("page", { n: answered }, "functions.page:0") : say("Done."),
    });
    const events = await stage.run("Read.");
    expect(endOf(events)).toMatchObject({ reason: "done", text: "Done." });
    expect(ran).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
    const { request, report } = await stage.session.prepare();
    const blocks = request.messages.flatMap(({ content }): readonly ContentBlock[] =>
      typeof content === "string" ? [] : content,
    );
    const calls = blocks.flatMap((block) => (isBlock(block, "tool_use") ? block.id : []));
    expect([calls.length, new Set(calls).size, report.repairs]).toEqual([4, 4, []]);
    expect(blocks.filter(({ type }) => type === "tool_result")).toMatchObject(
      calls.map((id, n) => ({ tool_use_id: id, content: `page {"n":${n}}` })),
    );
    expect(new Set(startsOf(events)).size).toBe(4);
  },
);

const startsOf = (events: readonly LoopEvent[]) =>
  events.flatMap((event) => (event.type === "tool-start" ? event.toolUseId : []));
