import { type AgentMiddleware, createMiddleware } from "langchain";
import type { Session } from "../../spec/index.ts";
import { createBridge } from "../bridge/create-bridge.ts";
import { langChainForm } from "./langchain-form.ts";

/**
 * Middleware for `createAgent` of LangChain 1.x: the messages of every call of the model go through the session, which
 * keeps them inside the window; the agent's own state keeps all of them. One conversation a session.
 */
export function palimpsestMiddleware(session: Session): AgentMiddleware {
  const bridge = createBridge(session, langChainForm);
  return createMiddleware({
    name: "Palimpsest",
    wrapModelCall: async (request, handler) =>
      handler({ ...request, messages: [...(await bridge.exchange(request.messages))] }),
  });
}
