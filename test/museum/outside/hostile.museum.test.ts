import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContentBlock, openSession, type Session, type Tool } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { createEmulator, type EmulatorOptions, fault, say } from "palimpsest/testing";
import { describe, expect, it, onTestFinished } from "vitest";

interface Fixture {
  readonly answers: readonly {
    readonly name: string;
    readonly block: ContentBlock;
    readonly logged: string;
  }[];
  /** What a provider says of a block that it took before. */
  readonly refusal: string;
  /** The text of that block. */
  readonly refused: string;
}

const path = new URL("../fixtures/47-blocks-that-nobody-knew.json", import.meta.url);
const { answers, refusal, refused }: Fixture = JSON.parse(await readFile(path, "utf8"));

const look: Tool = {
  name: "Look",
  description: "Looks.",
  input_schema: { type: "object", properties: {} },
  isReadOnly: true,
  run: async () => ({ content: "Nothing to see." }),
};

/** There must be something that a summary can be shorter than. */
const longAnswer = "This is how the steps are done, one after the other. ".repeat(400);

/** Opens the same session again and again, on an emulator that follows the script. */
async function begin(script: EmulatorOptions["script"]): Promise<(resume: boolean) => Promise<Session>> {
  const home = await mkdtemp(join(tmpdir(), "palimpsest-hostile-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const emulator = await createEmulator({ script });
  onTestFinished(() => emulator.close());
  return (resume) =>
    openSession({
      home,
      cwd: home,
      id: "one",
      resume,
      tools: [look],
      model: anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "any" }),
    });
}

/** Why a run has ended. */
async function run(session: Session, prompt: string): Promise<string> {
  for await (const event of session.run(prompt))
    if (event.type === "run-end") return `${event.reason}${event.message ? `: ${event.message}` : ""}`;
  return "never";
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ message }: Error) => message,
  );

async function logOf(session: Session): Promise<string> {
  const entries: unknown[] = [];
  for await (const entry of session.entries()) entries.push(entry);
  return JSON.stringify(entries);
}

describe("a session with an answer that the API does not take back", () => {
  it.each(answers)("47: lives on after $name: resumed, compacted and undone", async ({ block, logged }) => {
    const open = await begin(({ whole }, { answered }) => {
      if (answered === 0) return say(longAnswer);
      if (JSON.stringify(whole?.messages).slice(-4_000).includes("<summary>")) return say("It goes well.");
      return answered === 1 ? [block] : say(`Step ${answered} is done.`);
    });
    let session = await open(false);
    const ends: string[] = [];
    for (const prompt of ["Begin.", "What now?", "Go on.", "And on."]) ends.push(await run(session, prompt));
    await session.close();
    session = await open(true);
    ends.push(await run(session, "Go on after a resume."));
    ends.push(await outcome(session.compact()), await run(session, "Go on after a compaction."));
    ends.push(await outcome(session.undo()), await run(session, "Go on after an undo."));
    expect({ ends, isLogged: (await logOf(session)).includes(logged) }).toEqual({
      ends: ends.map(() => "done"),
      isLogged: true,
    });
    await session.close();
  });

  it("47: repairs a block that a 400 names, and asks once more", async () => {
    let refusals = 0;
    const open = await begin(({ whole }, { answered }) => {
      if (answered === 0) return say(refused);
      if (!JSON.stringify(whole?.messages).includes(refused)) return say("I go on.");
      refusals += 1;
      return fault.error({ status: 400, type: "invalid_request_error", message: refusal });
    });
    let session = await open(false);
    const ends = [await run(session, "Begin."), await run(session, "Go on.")];
    await session.close();
    session = await open(true);
    ends.push(await run(session, "And on."));
    expect({ ends, refusals }).toEqual({ ends: ["done", "done", "done"], refusals: 1 });
    expect((await logOf(session)).includes(refused)).toBe(true);
    await session.close();
  });

  it("47: compacts by hand though the model fails, all or a part of it", async () => {
    const isSummary = (messages: unknown) => JSON.stringify(messages).slice(-4_000).includes("<summary>");
    const open = await begin(({ whole }, { answered }) => {
      if (isSummary(whole?.messages))
        return fault.error({ status: 400, type: "invalid_request_error", message: "No summaries today." });
      return say(answered < 3 ? longAnswer : "Done.");
    });
    const session = await open(false);
    for (const prompt of ["Begin.", "Go on.", "And on.", "And once more."]) await run(session, prompt);
    const prompts: string[] = [];
    for await (const entry of session.entries())
      if (entry.kind === "message" && entry.message.type === "user") prompts.push(entry.id);
    const compacted: string[] = [];
    for (const request of [{ upTo: prompts[2] ?? "" }, { from: prompts[1] ?? "" }, {}]) {
      const made = await session.compact(request).catch(({ message }: Error) => ({ strategy: message }));
      compacted.push(made.strategy);
      if (made.strategy === "scribe") await session.undo();
    }
    expect(compacted).toEqual(["scribe", "scribe", "scribe"]);
    await session.close();
  });
});
