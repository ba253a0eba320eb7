// A real session of `palimpsest chat` in tmux against the emulator, by a fixed script, captured on the way.
// node scripts/tui/tmux-session.mjs [--columns 80] [--rows 24] [--out FOLDER]
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { builtInAgent, callTool, createEmulator, fault, say } from "../../packages/testing/build/index.js";

const main = fileURLToPath(new URL("../../packages/palimpsest/dist/cli.js", import.meta.url));
const patienceMs = 20_000;

const { values } = parseArgs({
  options: {
    columns: { type: "string", default: "80" },
    rows: { type: "string", default: "24" },
    out: { type: "string" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "palimpsest-tmux-"));
const [home, project] = [join(folder, "home"), join(folder, "shop")];
mkdirSync(join(project, "src"), { recursive: true });
writeFileSync(
  join(project, "src", "cart.ts"),
  "export const total = (prices: number[]) =>\n  prices.reduce((a, b) => a + b, 0);\n",
);
writeFileSync(
  join(project, "notes.txt"),
  "1 ok\n\u001b[2J\u001b[31mred and gone\u001b[0m\n日本語と絵文字 👩‍👩‍👧 🇨🇭\n",
);
writeFileSync(
  join(project, "prices.csv"),
  Array.from({ length: 300 }, (_, at) => `article ${at},${(at * 37) % 100}.90,${at % 7}\n`).join(""),
);
const socket = `palimpsest-${process.pid}`;
const shots = [];

const tmux = (...args) => execFileSync("tmux", ["-L", socket, ...args], { encoding: "utf8" });
const screen = (...more) => tmux("capture-pane", "-p", "-t", "chat", ...more);
const keys = (...names) => tmux("send-keys", "-t", "chat", ...names);
const type = (text) => tmux("send-keys", "-t", "chat", "-l", text);

/** Waits until the screen has it: nothing here depends on how fast the machine is. */
async function until(pattern, what = String(pattern)) {
  for (let waited = 0; waited < patienceMs; waited += 50) {
    if (pattern.test(screen())) return;
    await sleep(50);
  }
  throw new Error(`${what} did not come:\n${screen()}`);
}

/** The folder of this run has a name that means nothing. */
const named = (text) => text.replaceAll(folder, "/home/ada");

function shot(name) {
  const text = named(screen());
  shots.push({ name, text });
  if (!values.out) return;
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, `${name}.txt`), text);
  writeFileSync(join(values.out, `${name}.ansi`), named(screen("-e")));
}

/** The agent that is begun in the background reads a file, and then takes its time. */
const directive = "Find every place that uses total, and say what it expects.";
let hasRead = () => {};
const reading = new Promise((resolve) => {
  hasRead = resolve;
});
const emulator = await createEmulator({
  script(request, state) {
    const { messages } = request.whole;
    const last = JSON.stringify(messages.at(-1));
    if (JSON.stringify(messages[0]).includes(directive))
      return last.includes("tool_result") ? stall() : callTool("Read", { file_path: "src/cart.ts" });
    if (last.includes("The context is about to be compacted."))
      return say(
        "<analysis>In order.</analysis>\n<summary>\n1. The notes and prices of a shop were read.\n</summary>",
      );
    if (last.includes("who uses total"))
      return callTool("Agent", {
        description: "find uses of total",
        prompt: directive,
        name: "scout",
        background: true,
      });
    if (last.includes("hello again")) return say("Hello! The summary says that notes and prices were read.");
    return builtInAgent(request, state);
  },
});
const { url } = emulator;

function stall() {
  hasRead();
  return fault.stall();
}

const environment = {
  PALIMPSEST_HOME: home,
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: "anything",
  PALIMPSEST_FLAG_MEMORY_EXTRACTION: "off",
};
const variables = Object.entries(environment).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
const chat = (...args) => ["palimpsest chat", ...args].join(" ");

try {
  tmux(
    "-f",
    "/dev/null",
    "new-session",
    "-d",
    "-s",
    "chat",
    "-x",
    values.columns,
    "-y",
    values.rows,
    "-c",
    project,
    ...variables,
    "bash --norc",
  );
  tmux("set", "-g", "status", "off");
  keys(`PS1='$ '; palimpsest() { '${process.execPath}' '${main}' "$@"; }; clear`, "Enter");
  await until(/^\$ $|^\$\s*$/, "the prompt of the shell");
  type(`ANTHROPIC_API_KEY= ${chat()}`);
  keys("Enter");
  await until(/Show the demo now\?/);
  shot("00-first-run");
  type("n");
  keys("Enter");
  await until(/now\?[^\n]*n\n\$\s*$/, "the prompt of the shell");
  keys("clear", "Enter");
  await until(/^\$\s*$/, "the prompt of the shell");
  type(chat());
  keys("Enter");
  await until(/Ask or tell/);
  shot("01-start");
  type("hello there");
  keys("Enter");
  await until(/You said|Hello!/);
  await until(/Ask or tell/);
  type("/");
  await until(/\/compact/);
  shot("02-commands");
  keys("BSpace");
  type("read @car");
  await until(/@src\/cart\.ts/);
  shot("03-mention");
  keys("BSpace", "BSpace", "BSpace", "BSpace");
  type("notes.txt");
  keys("Enter");
  await until(/That is all/);
  await until(/Ask or tell/);
  shot("04-tool");
  type("run echo one; touch new-file");
  keys("Enter");
  await until(/Yes, this once/);
  shot("05-permission");
  keys("Down", "Enter");
  await until(/Ask or tell/);
  type("/context");
  keys("Enter");
  await until(/free/i);
  shot("06-context");
  type("read prices.csv");
  keys("Enter");
  await until(/300 lines[\s\S]*That is all[\s\S]*Ask or tell/);
  type("/compact");
  keys("Enter");
  await until(/Compacted: /);
  await until(/Ask or tell/);
  shot("07-compact");
  keys("C-o");
  await until(/Transcript:/);
  shot("08-transcript");
  keys("Up", "Up", "Enter");
  await until(/Esc goes back/);
  shot("09-original");
  keys("Escape");
  await until(/Esc leaves/);
  keys("Escape");
  await until(/Ask or tell/);
  type("/cost");
  keys("Enter");
  await until(/tokens out/);
  shot("10-cost");
  keys("C-c");
  await until(/once more quits/);
  keys("C-c");
  await until(/To continue:/);
  shot("11-quit");
  type(chat("--continue"));
  keys("Enter");
  await until(/Ask or tell/);
  type("hello again");
  keys("Enter");
  await until(/> hello again[\s\S]*Hello!/);
  await until(/Ask or tell/);
  shot("12-continue");
  type("who uses total? let an agent look");
  keys("Enter");
  await until(/\* Agent scout[\s\S]*Ask or tell/);
  await reading;
  type("/tasks");
  keys("Enter");
  await until(/1 tool call[\s\S]*Stop one of them\?/);
  shot("13-tasks");
  keys("Escape");
  await until(/Ask or tell/);
  keys("C-d");
  await until(/\n\$\s*$/, "the prompt of the shell");
  for (const { name, text } of shots) console.log(`━━ ${name}\n${text.trimEnd()}\n`);
} finally {
  try {
    tmux("kill-server");
  } catch {}
  await emulator.close();
  // What was killed may still be closing its session.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}
