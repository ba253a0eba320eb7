// `palimpsest mcp` gives any MCP client a project's memories and past sessions. Here the official client starts it, as
// agents do, and searches. `palimpsest mcp --print-config claude` shows what an agent's settings need.
// Needs: npm install @modelcontextprotocol/sdk
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { openMemory } from "palimpsest";

// Your own memories: without `home` and PALIMPSEST_HOME, and with your project's folder as `cwd`.
const home = await mkdtemp(join(tmpdir(), "palimpsest-example-"));
const memory = await openMemory({ home, cwd: home });
await memory.write("staging.md", "Staging runs in Frankfurt.", { type: "reference" });
await memory.close();

const client = new Client({ name: "example", version: "1.0.0" });
const program = fileURLToPath(new URL("./cli.js", import.meta.resolve("palimpsest")));
await client.connect(
  new StdioClientTransport({
    command: process.execPath, // where the package is installed: command "npx", args ["palimpsest", "mcp"]
    args: [program, "mcp"],
    cwd: home,
    env: { PATH: process.env.PATH ?? "", PALIMPSEST_HOME: home },
  }),
);
const call = async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;

console.log((await client.listTools()).tools.map(({ name }) => name).join(", "));
console.log(`found: ${(await call("memory_search", { query: "where is staging" })).includes("staging.md")}`);
await call("memory_write", { path: "port.md", text: "The port is 9090.", type: "reference" });
console.log(`read back: ${(await call("memory_read", { path: "port.md" })).includes("The port is 9090.")}`);
await client.close();
await rm(home, { recursive: true });
