import { describe, expect, it } from "vitest";
import type { RecordedRequest } from "../recorded-request.ts";
import { type AnswerBlock, answer, say } from "./answer.ts";
import { fault } from "./fault.ts";
import { runScript } from "./run-script.ts";
import { atRequest, otherwise, type Script, when } from "./script.ts";

const requestAt = (ordinal: number, fields: Partial<RecordedRequest> = {}): RecordedRequest => ({
  number: ordinal,
  ordinal,
  endpoint: "messages",
  method: "POST",
  path: "/v1/messages",
  query: {},
  headers: {},
  startedAt: 0,
  bodyBytes: 0,
  isStream: false,
  violations: [],
  outcome: "pending",
  requestId: "req_1",
  events: 0,
  ...fields,
});

/** The words of the first replies, or the name of the fault. */
async function run(script: Script | undefined, count: number): Promise<readonly string[]> {
  const running = runScript(script);
  const words: string[] = [];
  for (let ordinal = 1; ordinal <= count; ordinal += 1) {
    const reply = await running.reply(requestAt(ordinal));
    const error = reply.kind === "fault" && reply.fault === "error" ? reply.error.type : "";
    words.push(
      reply.kind === "answer"
        ? reply.content.map((block: AnswerBlock) => ("text" in block ? block.text : block.type)).join("+")
        : `${reply.fault} ${error}`.trim(),
    );
  }
  return words;
}

describe("runScript", () => {
  it("gives replies in order, each of one block or several, and then fails", async () => {
    const script = [say("a"), [say("b"), say("c")], answer(say("d")), fault.drop()];
    expect(await run(script, 5)).toEqual(["a", "b+c", "d", "drop", "error api_error"]);
  });

  it("lets the first rule that matches win, and uses no reply up for it", async () => {
    const script = [
      say("first"),
      atRequest(2, fault.overloaded()),
      when(({ ordinal }) => ordinal < 4, say("early")),
      atRequest(1, say("never")),
      say("second"),
      otherwise(say("rest")),
    ];
    expect(await run(script, 7)).toEqual([
      "early",
      "error overloaded_error",
      "early",
      "first",
      "second",
      "rest",
      "rest",
    ]);
  });

  it("leaves what rules do not match to the built-in agent", async () => {
    const [first, second] = await run([atRequest(1, fault.stall())], 2);
    expect(first).toBe("stall");
    expect(second).toContain("I am an emulator, not a model.");
  });

  it("asks a function every time, with what it kept", async () => {
    const script: Script = ({ ordinal }, { answered, notes }) => {
      const seen = (notes.get("seen") ?? "") as string;
      notes.set("seen", `${seen}${ordinal}`);
      return ordinal === 2 ? fault.drop() : say(`${answered} after “${seen}”`);
    };
    expect(await run(script, 3)).toEqual(["0 after “”", "drop", "1 after “12”"]);
  });

  it("makes a fault with words of a script that throws or gives nothing", async () => {
    for (const script of [() => Promise.reject(new Error("lost")), () => undefined as never]) {
      const reply = await runScript(script).reply(requestAt(1));
      expect(reply).toMatchObject({ fault: "error", error: { headers: { "x-should-retry": "false" } } });
    }
  });

  it("has faults for other endpoints only by a predicate", async () => {
    const { fault: faultFor } = runScript([
      atRequest(1, fault.drop()),
      when(({ endpoint }) => endpoint === "models", fault.overloaded()),
      when(({ endpoint }) => endpoint === "model", say("not a fault")),
    ]);
    expect(await faultFor(requestAt(1, { endpoint: "count_tokens" }))).toBeNull();
    expect(await faultFor(requestAt(1, { endpoint: "model" }))).toBeNull();
    expect(await faultFor(requestAt(1, { endpoint: "models" }))).toMatchObject({ fault: "error" });
  });
});
