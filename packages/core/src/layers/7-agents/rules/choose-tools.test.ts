import { describe, expect, it } from "vitest";
import { chooseTools } from "./parse-agent.ts";

const all = ["Read", "Edit", "AskUserQuestion", "mcp__git__log", "mcp__git__show"].map((name) => ({ name }));
const names = (wanted?: readonly string[]) => {
  const { tools, unknown } = chooseTools(all, wanted);
  return { tools: tools.map(({ name }) => name), unknown };
};

describe("chooseTools", () => {
  it("gives all but those that need a person", () => {
    expect(names()).toEqual({ tools: ["Read", "Edit", "mcp__git__log", "mcp__git__show"], unknown: [] });
    expect(names(["AskUserQuestion"])).toEqual({ tools: [], unknown: [] });
  });

  it("gives those that are named, in the session's order, and says which are not there", () => {
    expect(names(["mcp__git__*", "Read", "Fly", "no*"])).toEqual({
      tools: ["Read", "mcp__git__log", "mcp__git__show"],
      unknown: ["Fly", "no*"],
    });
    expect(names([])).toEqual({ tools: [], unknown: [] });
  });
});
