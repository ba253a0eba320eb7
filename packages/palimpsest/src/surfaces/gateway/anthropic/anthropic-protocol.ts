import type { IncomingHttpHeaders } from "node:http";
import type { Model } from "@palimpsest/core/spec";
import { toCapabilities } from "../../../models/anthropic/to-capabilities.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { readError } from "../protocol/read-error.ts";
import { createMessagesTap } from "./create-messages-tap.ts";
import { readMessagesRequest } from "./read-messages-request.ts";
import { writeMessagesRequest } from "./write-messages-request.ts";

/** The Messages API. */
export const anthropicProtocol: Protocol = {
  name: "anthropic",
  read: readMessagesRequest,
  write: writeMessagesRequest,
  createTap: createMessagesTap,
  windowPaths: (model) => [`/v1/models/${encodeURIComponent(model)}`],
  readWindow: (document) => toCapabilities(document).contextWindow,
  ping: 'event: ping\ndata: {"type": "ping"}\n\n',
  readError,
  createModel,
};

async function createModel(name: string, baseUrl: string, headers: IncomingHttpHeaders): Promise<Model> {
  const [{ anthropic }, { default: Anthropic }] = await Promise.all([
    import("../../../models/anthropic/index.ts"),
    import("@anthropic-ai/sdk"),
  ]);
  const authToken = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? null;
  const apiKey = typeof headers["x-api-key"] === "string" ? headers["x-api-key"] : null;
  const client = new Anthropic({ apiKey, authToken, webhookKey: null, baseURL: baseUrl, logLevel: "off" });
  const betas = String(headers["anthropic-beta"] ?? "")
    .split(",")
    .map((beta) => beta.trim())
    .filter((beta) => beta !== "");
  return anthropic(name, { client, defaultBetas: betas });
}
