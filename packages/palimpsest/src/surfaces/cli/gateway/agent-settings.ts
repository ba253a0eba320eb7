import { PalimpsestError } from "@palimpsest/core/spec";
import { tokenHeader } from "../../gateway/guard/check-token.ts";

export type AgentName = "claude" | "opencode" | "pi";

/** What makes an agent use the gateway. */
export interface AgentSettings {
  /** Variables to run it with. */
  readonly environment: Readonly<Record<string, string>>;
  /** A file that it reads, and what has to stand in it. */
  readonly file?: { readonly path: string; readonly content: object };
}

/** A variable of Claude Code's own; nothing here reads it. */
const claudeHeaders = ["ANTHROPIC", "CUSTOM_HEADERS"].join("_");

/** Where an agent would not take a value as it is written, but run it or put something else in its place. */
const notLiteral: Readonly<Partial<Record<AgentName, RegExp>>> = { opencode: /\{(?:env|file):/, pi: /^!/ };

/**
 * The settings that an agent needs for Anthropic's models; its keys stay where it has them. OpenAI's models are asked by
 * opencode and pi with the Responses API, which the gateway would only pass through. Throws `invalid-input` for a token
 * that the agent would not send as it is.
 */
export function agentSettings(agent: AgentName, url: string, token?: string): AgentSettings {
  if (token !== undefined && notLiteral[agent]?.test(token)) throw unsendable(agent);
  const headers = token === undefined ? {} : { headers: { [tokenHeader]: token } };
  if (agent === "claude") {
    const custom = token !== undefined && { [claudeHeaders]: `${tokenHeader}: ${token}` };
    return { environment: { ANTHROPIC_BASE_URL: url, ...custom } };
  }
  if (agent === "opencode") {
    const content = { provider: { anthropic: { options: { baseURL: `${url}/v1`, ...headers } } } };
    return {
      environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify(content) },
      file: { path: "opencode.json", content },
    };
  }
  const content = { providers: { anthropic: { baseUrl: url, ...headers } } };
  return { environment: {}, file: { path: "~/.pi/agent/models.json", content } };
}

function unsendable(agent: AgentName): PalimpsestError {
  return new PalimpsestError("invalid-input", `${agent} would not send this token as it is.`, {
    fix: "Use a token of letters and digits.",
  });
}
