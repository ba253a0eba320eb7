import { describe, expect, it } from "vitest";
import { readSessionCommand } from "./run-command.ts";

describe("readSessionCommand", () => {
  it.each([
    ["/compact", { name: "compact", instructions: "" }],
    [
      "  /compact  keep the names\nand the numbers ",
      { name: "compact", instructions: "keep the names\nand the numbers" },
    ],
    ["/snip", { name: "snip", ids: [] }],
    ["/snip toolu_1  msg_2", { name: "snip", ids: ["toolu_1", "msg_2"] }],
    ["/compaction", null],
    ["/compact/it", null],
    ["/etc/hosts says what?", null],
    ["please /compact", null],
  ])("reads %j", (prompt, command) => {
    expect(readSessionCommand(prompt)).toEqual(command);
  });
});
