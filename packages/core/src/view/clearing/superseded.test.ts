import { describe, expect, it } from "vitest";
import type { ContentBlock, ViewItem } from "../../spec/index.ts";
import { clearableParts } from "./clearable-parts.ts";
import { supersededResults } from "./superseded.ts";

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: object;
  readonly isError?: boolean;
}

/** A view with these calls, one behind the other. */
function viewOf(calls: readonly Call[]): readonly ViewItem[] {
  const item = (role: "user" | "assistant", block: ContentBlock, seq: number): ViewItem => ({
    role,
    entry: `e${seq}`,
    seq,
    index: 0,
    block,
    json: JSON.stringify(block),
  });
  return calls.flatMap(({ id, tool, input, isError }, at) => [
    item("assistant", { type: "tool_use", id, name: tool, input }, 2 * at),
    item(
      "user",
      { type: "tool_result", tool_use_id: id, content: "x", ...(isError && { is_error: true }) },
      2 * at + 1,
    ),
  ]);
}

const read = (id: string, path: string, more = {}): Call => ({
  id,
  tool: "Read",
  input: { file_path: path, ...more },
});
const edit = (id: string, path: string, more = {}): Call => ({
  id,
  tool: "Edit",
  input: { file_path: path },
  ...more,
});
const bash = (id: string, command: string): Call => ({ id, tool: "Bash", input: { command } });

const superseded = (...calls: readonly Call[]) =>
  [...supersededResults(clearableParts(viewOf(calls)))].sort();

describe("superseded results", () => {
  it.each<[string, readonly Call[], readonly string[]]>([
    ["a file read again", [read("a", "/x"), read("b", "/x")], ["a"]],
    ["a part read again", [read("a", "/x", { offset: 5 }), read("b", "/x", { offset: 5 })], ["a"]],
    ["a part, by the whole", [read("a", "/x", { offset: 5 }), read("b", "/x")], ["a"]],
    ["not the whole, by a part", [read("a", "/x"), read("b", "/x", { offset: 5 })], []],
    ["a reading, by an edit", [read("a", "/x"), edit("b", "/x")], ["a"]],
    ["not by an edit that failed", [read("a", "/x"), edit("b", "/x", { isError: true })], []],
    ["a command run again", [bash("a", "make"), bash("b", "make test"), bash("c", "make")], ["a"]],
    ["nothing of another file", [read("a", "/x"), read("b", "/y")], []],
  ])("are %s", (_, calls, expected) => {
    expect(superseded(...calls)).toEqual(expected);
  });
});
