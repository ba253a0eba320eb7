import { createToolResultsLayer } from "../../../packages/core/build/layers/1-tool-results/index.js";
import { createCompactionLayer } from "../../../packages/core/build/layers/4-compaction/index.js";
import { openSession } from "../../../packages/core/build/session/open-session.js";
import { acknowledge } from "../acknowledge.mjs";
import { resultText } from "../texts.mjs";

const compactEvery = 5;

/** Works on one session with long results for ever; says each one that was stored, and each compaction by the scribe. */
export async function work(store, { session: id, isNew, first }) {
  const layers = [createToolResultsLayer(), createCompactionLayer()];
  const settings = { toolResults: { defaultMaxChars: 4_000 } };
  const session = await openSession({ store, id, resume: !isNew, layers, settings });
  for (let number = first; ; number += 1) {
    const toolUseId = `toolu_${number}`;
    await session.add({ role: "user", content: `Do number ${number}.` });
    const input = { command: `make ${number}` };
    await session.add({
      role: "assistant",
      content: [{ type: "tool_use", id: toolUseId, name: "Bash", input }],
    });
    const content = resultText(number);
    await session.add({ role: "user", content: [{ type: "tool_result", tool_use_id: toolUseId, content }] });
    await session.prepare();
    acknowledge("offloaded", number);
    await session.add({ role: "assistant", content: `Number ${number} is done.` });
    if (number % compactEvery === compactEvery - 1)
      acknowledge("compacted", (await session.compact()).strategy);
  }
}
