import type { IncomingHttpHeaders } from "node:http";
import { isObject } from "@palimpsest/core/internal";
import type { Model } from "@palimpsest/core/spec";
import { readCapabilities } from "../../../models/openai/read-capabilities.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { readError } from "../protocol/read-error.ts";
import { createChatTap } from "./create-chat-tap.ts";
import { readChatRequest } from "./read-chat-request.ts";
import { writeChatRequest } from "./write-chat-request.ts";

/** Chat completions, of OpenAI and of everybody who speaks like it. */
export const openaiProtocol: Protocol = {
  name: "openai",
  read: readChatRequest,
  write: writeChatRequest,
  createTap: createChatTap,
  windowPaths: (model) => ["/v1/models", `/v1/models/${encodeURIComponent(model)}`],
  readWindow(document, model) {
    const models = isObject(document) && Array.isArray(document.data) ? document.data : [document];
    return readCapabilities(models, model, true).contextWindow;
  },
  ping: ": waiting\n\n",
  readError,
  createModel,
};

async function createModel(name: string, baseUrl: string, headers: IncomingHttpHeaders): Promise<Model> {
  const { openai } = await import("../../../models/openai/index.ts");
  const apiKey = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  return openai(name, { baseURL: `${baseUrl}/v1`, ...(apiKey !== undefined && { apiKey }) });
}
