// An agent with its tools in a folder of its own: it reads a file, changes it, and says what it did.
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAgent } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, say, when } from "palimpsest/testing";

const folder = await realpath(await mkdtemp(join(tmpdir(), "palimpsest-example-")));
const cwd = join(folder, "project");
const file = join(cwd, "config.json");
await mkdir(cwd);
await writeFile(file, '{ "port": 8080 }\n');

const isHelp = ({ whole }) => !JSON.stringify(whole.messages.at(-1)).match(/Move the port|tool_result/);
const emulator = await createEmulator({
  script: [
    when(isHelp, say("Nothing to add.")), // notes and memories, which the agent writes beside its work
    callTool("Read", { file_path: file }),
    callTool("Edit", { file_path: file, old_string: "8080", new_string: "9090" }),
    say("The port is 9090 now."),
  ],
});
// The real provider: `const model = "claude-opus-4-5";`, with ANTHROPIC_API_KEY set.
const model = anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "anything" });

const agent = await openAgent({ model, cwd, home: join(folder, "home") });
for await (const event of agent.run("Move the port to 9090.", { maxTurns: 10 })) {
  if (event.type === "tool-end") console.log(event.tool, event.isError ? "failed" : "worked");
  if (event.type === "run-end") console.log(`${event.reason}: ${event.text}`);
}
console.log("config.json:", (await readFile(file, "utf8")).trim());
await agent.close();
await emulator.close();
await rm(folder, { recursive: true });
