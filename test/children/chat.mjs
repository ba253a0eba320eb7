// node chat.mjs HOME PROJECT URL WHEN: the terminal agent on a terminal of its own. Prints a line at the moment named.
import { PassThrough, Writable } from "node:stream";
import { createRuntime } from "../../packages/core/build/runtime.js";
import { createDoors } from "../../packages/palimpsest/build/surfaces/cli/chat/create-chat-environment.js";
import { createStyle } from "../../packages/palimpsest/build/surfaces/terminal/style.js";
import { loadChat } from "../../packages/palimpsest/build/surfaces/tui/load-chat.js";

const [home, project, url, when] = process.argv.slice(2);
Object.assign(process.env, { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-test" });
const stdin = Object.assign(new PassThrough(), {
  isTTY: true,
  setRawMode: () => stdin,
  ref() {},
  unref() {},
});
let screen = "";
const marks = {
  "in the middle of an answer": /Hello!/,
  "while a tool waits to be allowed": /Yes, this once/,
  "right after an answer": /called\.[\s\S]*Ask or tell/,
};
let isTold = false;
let hasAsked = false;
const stdout = Object.assign(
  new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      screen += chunk;
      if (!hasAsked && when.includes("tool") && /called\./.test(screen)) {
        hasAsked = true;
        setImmediate(() => stdin.write("run touch a\r"));
      }
      if (!isTold && marks[when].test(screen)) {
        isTold = true;
        process.stdout.write("now\n");
      }
      done();
    },
  }),
  { isTTY: true, columns: 80, rows: 24 },
);
const { signal } = new AbortController();
const terminal = { columns: 80, style: createStyle(false), signal };
const runChat = await loadChat();
await runChat({
  doors: createDoors({
    context: { terminal, home, folder: project, now: () => Date.now() },
    agent: { settings: { flags: { "memory-extraction": false } } },
    workspace: [project],
    environment: process.env,
    prompts: { read: async () => [], add: async () => undefined },
    isColoured: false,
  }),
  clock: createRuntime().clock,
  stdin,
  stdout,
  style: createStyle(false),
  isPlain: false,
  history: [],
  first: {},
  signal,
  onOpen: () => stdin.write("hello, who are you?\r"),
});
