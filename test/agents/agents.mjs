import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("node_modules/", import.meta.url));
const versionOf = (name) => JSON.parse(readFileSync(`${packages}${name}/package.json`, "utf8")).version;

/** Provider and model as both agents write them, for each protocol that the gateway manages. */
export const models = { messages: "anthropic/claude-opus-4-5", chat: "chat/gpt-4.1" };
const chatKey = "sk-test-agents";
const chatLimits = { context: 200_000, output: 16_000 };

/**
 * The agents: how each is run, what keeps it to itself, and what makes it ask a server of chat completions; what it needs
 * for Anthropic's models the gateway says. Their own compaction is off: what makes room is the gateway, or nobody.
 */
export const agents = {
  pi: {
    version: () => versionOf("@mariozechner/pi-coding-agent"),
    command: (model, prompt) => [
      ...[process.execPath, `${packages}@mariozechner/pi-coding-agent/dist/cli.js`],
      ...["--model", model, "--thinking", "off", "--no-session", "-p", prompt],
    ],
    environment: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
    files: (home) => ({ [join(home, ".pi/agent/settings.json")]: { compaction: { enabled: false } } }),
    chatSettings(url, headers) {
      const { context: contextWindow, output: maxTokens } = chatLimits;
      const listed = [{ id: "gpt-4.1", contextWindow, maxTokens }];
      const chat = {
        baseUrl: `${url}/v1`,
        api: "openai-completions",
        apiKey: chatKey,
        headers,
        models: listed,
      };
      return { environment: {}, file: { path: "~/.pi/agent/models.json", content: { providers: { chat } } } };
    },
  },
  opencode: {
    version: () => versionOf("opencode-ai"),
    command: (model, prompt) => [opencodeBinary(), "run", "--model", model, prompt],
    environment: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_SHARE: "1",
      // It installs a package for plugins at every start.
      npm_config_offline: "true",
    },
    files: (home) => ({
      [join(home, ".config/opencode/opencode.json")]: { compaction: { auto: false, prune: false } },
    }),
    chatSettings(url, headers) {
      const options = { baseURL: `${url}/v1`, apiKey: chatKey, headers };
      const listed = { "gpt-4.1": { limit: chatLimits } };
      const chat = { npm: "@ai-sdk/openai-compatible", options, models: listed };
      return { environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: { chat } }) } };
    },
  },
};

/** The package is a starter that its install script fills; the program is in the package for the platform. */
function opencodeBinary() {
  const platform = `${process.platform}-${process.arch}`;
  const path = `${packages}opencode-${platform}/bin/opencode`;
  if (!existsSync(path)) throw new Error(`opencode has no program for ${platform}.`);
  return path;
}

/** A home folder with the agent's own settings, and the variables that make the agent live in it. */
export async function settleAgent(agent, home) {
  await writeFiles(agent.files(home));
  const inHome = (name) => join(home, name);
  return {
    HOME: home,
    XDG_CONFIG_HOME: inHome(".config"),
    XDG_DATA_HOME: inHome(".local/share"),
    XDG_STATE_HOME: inHome(".local/state"),
    XDG_CACHE_HOME: inHome(".cache"),
    ...agent.environment,
  };
}

/** Gives an agent settings as the gateway prints them: variables, or a file where the agent has no variable for it. */
export async function applySettings({ environment, file }, home) {
  if (Object.keys(environment).length > 0) return environment;
  await writeFiles({ [file.path.replace("~", home)]: file.content });
  return {};
}

async function writeFiles(files) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(content, null, 2));
  }
}
