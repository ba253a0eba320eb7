import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { cliEnvironment, cliHome, mainPath } from "../support/cli.ts";
import { memoryText } from "../support/memory-texts.ts";
import { append, notesOf, said } from "../support/recall-store.ts";

/** A project with a memory and a session, to be served. */
export async function servedProject() {
  const { home, store } = await cliHome();
  const memory = await openMemory({ home, cwd: home });
  await memory.write("staging.md", memoryText({ name: "Staging", body: "Staging is in Frankfurt." }));
  await append(store, "ses_1", [said("user", "Please look at the harbour crane.")]);
  await append(store, "ses_1", [notesOf("The crane was looked at.")]);
  return { home, memory, store };
}

/** The official client, connected to the built program as clients start it. */
export async function stdioClient(home: string, args: readonly string[] = []) {
  const client = new Client({ name: "tester", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [mainPath, "mcp", ...args],
    env: cliEnvironment({ home }),
    cwd: home,
    stderr: "pipe",
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

/** The program on HTTP, and its address and token. */
export async function httpServer(home: string) {
  const child = spawn(process.execPath, [mainPath, "mcp", "--http", "--json"], {
    cwd: home,
    env: cliEnvironment({ home }),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line")) as [string];
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const refusals: string[] = [];
  createInterface({ input: child.stderr }).on("line", (said) => refusals.push(said));
  return { child, url: new URL(url), token, refusals };
}

export async function httpClient({ url, token }: { url: URL; token: string }) {
  const client = new Client({ name: "tester", version: "1.0.0" });
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

/** The text of an answer, and whether it is a refusal. */
export async function call(client: Client, name: string, input: Record<string, unknown>) {
  const { content, isError = false } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  return { text: first?.text ?? "", isError };
}
