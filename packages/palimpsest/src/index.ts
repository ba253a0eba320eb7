export * from "@palimpsest/core";
export { type OpenAgentOptions, openAgent } from "./loop/agent/open-agent.ts";
export { openSession, type SessionOptions } from "./loop/open-session.ts";
