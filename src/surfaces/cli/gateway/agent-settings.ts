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

/** The settings that an agent needs; its keys stay where it has them. */
export function agentSettings(agent: AgentName, url: string, token?: string): AgentSettings {
  const headers = token === undefined ? {} : { headers: { [tokenHeader]: token } };
  if (agent === "claude") {
    const custom = token !== undefined && { [claudeHeaders]: `${tokenHeader}: ${token}` };
    return { environment: { ANTHROPIC_BASE_URL: url, ...custom } };
  }
  if (agent === "opencode") {
    const options = { baseURL: `${url}/v1`, ...headers };
    const content = { provider: { anthropic: { options }, openai: { options } } };
    return {
      environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify(content) },
      file: { path: "opencode.json", content },
    };
  }
  const content = {
    providers: {
      anthropic: { baseUrl: url, ...headers },
      openai: { baseUrl: `${url}/v1`, ...headers },
    },
  };
  return { environment: {}, file: { path: "~/.pi/agent/models.json", content } };
}
