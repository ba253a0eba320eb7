import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ClearToolUsesEdit, countTokensApproximately } from "langchain";

/** LangChain's own edit, as `contextEditingMiddleware` applies it before each call of a model. */
export function createLangChainClearing(rounds) {
  const messages = toMessages(rounds);
  const keep = { messages: 3 };
  const clear = new ClearToolUsesEdit({ trigger: { tokens: 100_000 }, keep });
  const wait = new ClearToolUsesEdit({ trigger: { tokens: Number.MAX_SAFE_INTEGER }, keep });
  const isCleared = ({ content }) => content === "[cleared]";

  async function apply(edit) {
    const own = [...messages];
    const started = performance.now();
    await edit.apply({ messages: own, countTokens: countTokensApproximately });
    return { time: performance.now() - started, cleared: own.filter(isCleared).length };
  }
  return { nothingDue: () => apply(wait), clearing: () => apply(clear) };
}

function toMessages(rounds) {
  return [
    new HumanMessage("Look at the whole source."),
    ...rounds.flatMap(({ id, tool, input, text, result }) => [
      new AIMessage({ content: text, tool_calls: [{ id, name: tool, args: input, type: "tool_call" }] }),
      new ToolMessage({ tool_call_id: id, name: tool, content: result }),
    ]),
  ];
}
