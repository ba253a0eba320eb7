/** The settings a client needs so that it starts the server. */
export interface ClientConfig {
  readonly client: string;
  /** Where it belongs, for a person. */
  readonly file: string;
  readonly text: string;
}

const command = "palimpsest";
const json = (value: unknown) => JSON.stringify(value, null, 2);
const stdio = (args: readonly string[]) => ({ command, args });

const makers: Readonly<Record<string, (folder: string) => Omit<ClientConfig, "client">>> = {
  claude: () => ({
    file: ".mcp.json in the project",
    text: json({ mcpServers: { palimpsest: stdio(["mcp"]) } }),
  }),
  "claude-desktop": (folder) => ({
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    text: json({ mcpServers: { palimpsest: stdio(["mcp", "--project", folder]) } }),
  }),
  codex: () => ({
    file: "~/.codex/config.toml",
    text: `[mcp_servers.palimpsest]\ncommand = "${command}"\nargs = ["mcp"]`,
  }),
  cursor: () => ({
    file: ".cursor/mcp.json in the project",
    text: json({ mcpServers: { palimpsest: stdio(["mcp"]) } }),
  }),
  opencode: () => ({
    file: "opencode.json in the project",
    text: json({ mcp: { palimpsest: { type: "local", command: [command, "mcp"], enabled: true } } }),
  }),
  vscode: () => ({
    file: ".vscode/mcp.json in the project",
    text: json({ servers: { palimpsest: { type: "stdio", ...stdio(["mcp"]) } } }),
  }),
};

export const clientNames: readonly string[] = Object.keys(makers);

/** `folder` is the project, for clients that start servers elsewhere. */
export function clientConfig(client: string, folder: string): ClientConfig | undefined {
  const make = makers[client];
  return make && { client, ...make(folder) };
}
