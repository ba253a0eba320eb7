import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const input = (properties = {}) => ({ type: "object", properties });
const text = (content) => ({ content: [{ type: "text", text: content }] });
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** An MCP server for tests, on whatever transport it is connected to. */
export function createFixtureServer({ instructions, pageSize = 100 } = {}) {
  const server = new Server(
    { name: "fixture", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } }, ...(instructions && { instructions }) },
  );
  const seen = [];
  let release = () => {};

  const tools = new Map([
    [
      "echo",
      {
        definition: {
          description: "Says it again.",
          inputSchema: input({ text: { type: "string" } }),
          annotations: { readOnlyHint: true },
        },
        run: async ({ text: words }) => text(`echo: ${words}`),
      },
    ],
    [
      "big",
      {
        definition: {
          description: "Says a lot.",
          inputSchema: input({ chars: { type: "integer" } }),
          _meta: { "anthropic/maxResultSizeChars": 400_000 },
        },
        run: async ({ chars }) => text("é".repeat(chars)),
      },
    ],
    ["environment", { definition: {}, run: async () => text(JSON.stringify(process.env)) }],
    ["place", { definition: {}, run: async () => text(process.cwd()) }],
    ["seen", { definition: {}, run: async () => text(JSON.stringify(seen)) }],
    ["failing", { definition: {}, run: async () => ({ ...text("no such city"), isError: true }) }],
    [
      "refusing",
      {
        definition: {},
        run: async () => {
          throw new Error("the input is wrong");
        },
      },
    ],
    [
      "structured",
      { definition: {}, run: async () => ({ content: [], structuredContent: { degrees: 21 } }) },
    ],
    [
      "media",
      {
        definition: {},
        run: async () => ({
          content: [
            { type: "text", text: "a picture" },
            { type: "image", data: pixel, mimeType: "image/png" },
            { type: "resource_link", uri: "file:///log.txt", name: "the log" },
            { type: "resource", resource: { uri: "note://1", mimeType: "text/plain", text: "a note" } },
          ],
        }),
      },
    ],
    [
      "slow",
      {
        definition: {},
        run: async (_input, { signal, sendNotification, _meta }) => {
          const { progressToken } = _meta;
          const step = (progress, message) =>
            sendNotification({
              method: "notifications/progress",
              params: { progressToken, progress, total: 2, message },
            });
          await step(1, "half way");
          await step(2, "nearly there");
          await new Promise((resolve) => {
            release = resolve;
            signal.addEventListener("abort", () => {
              seen.push("cancelled");
              resolve();
            });
          });
          return text("slow and done");
        },
      },
    ],
    [
      "release",
      {
        definition: {},
        run: async () => {
          release();
          return text("released");
        },
      },
    ],
    [
      "crash",
      {
        definition: {},
        run: () => {
          process.stderr.write("panic: out of luck, token hush-hush\n", () => process.exit(3));
          return new Promise(() => {});
        },
      },
    ],
    ["stop", { definition: {}, run: async () => process.kill(process.pid, "SIGSTOP") }],
    [
      "change",
      {
        definition: {},
        run: async () => {
          tools.get("echo").definition.inputSchema = input({ words: { type: "string" } });
          tools.set("grown", {
            definition: { description: "Came later.", inputSchema: input({ many: { type: "integer" } }) },
            run: async ({ many }) => text(`grown: ${many}`),
          });
          tools.delete("big");
          await server.sendToolListChanged();
          return text("changed");
        },
      },
    ],
    [
      "shrink",
      {
        definition: {},
        run: async () => {
          tools.delete("grown");
          await server.sendToolListChanged();
          return text("shrunk");
        },
      },
    ],
  ]);

  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    const from = Number(params?.cursor ?? 0);
    const all = [...tools].map(([name, { definition }]) => ({ name, inputSchema: input(), ...definition }));
    const more = from + pageSize < all.length && { nextCursor: String(from + pageSize) };
    return { tools: all.slice(from, from + pageSize), ...more };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    seen.push(params.name);
    const tool = tools.get(params.name);
    if (tool === undefined) throw new Error(`no tool ${params.name}`);
    return tool.run(params.arguments ?? {}, extra);
  });
  return server;
}
