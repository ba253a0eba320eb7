import { describe, expect, it } from "vitest";
import {
  clearableInputTools,
  clearableTools,
  closedTools,
  commandTools,
  exitPlanTool,
  fileTools,
  knownTools,
  listingTools,
  lookingTools,
  memoryChangingTools,
  memoryReadingTools,
  memoryWritingTools,
  planTools,
  quietTools,
  taintKindOf,
  todoTools,
  toolFamilies,
  toolsOfPeople,
} from "./known-tools.ts";

const sorted = (names: Iterable<string>) => [...names].toSorted();
const words = (text: string) => text.split(/\s+/).toSorted();

describe("knownTools", () => {
  it("has every name once, and families whose first tool is there", () => {
    const names = knownTools.flatMap(({ name, otherNames = [] }) => [name, ...otherNames]);
    expect(names.length).toBe(new Set(names).size);
    const families = knownTools.flatMap(({ permission }) =>
      permission === undefined || permission === "quiet" ? [] : permission.family,
    );
    expect(new Set(families)).toEqual(new Set(toolFamilies.map(({ tools: [first] }) => first)));
  });

  it("gives permission rules their families, and says what needs no permission", () => {
    expect(toolFamilies).toEqual([
      { tools: ["Read", "Glob", "Grep"], kind: "path", access: "read", showing: [] },
      {
        tools: ["Edit", "Write", "MultiEdit", "NotebookEdit"],
        kind: "path",
        access: "write",
        showing: ["Edit", "MultiEdit", "NotebookEdit"],
      },
      { tools: ["Bash"], kind: "command", access: "execute", showing: [] },
      { tools: ["WebFetch"], kind: "url", access: "read", showing: [] },
    ]);
    expect(sorted(quietTools)).toEqual(
      words("AskUserQuestion TodoWrite Recall ToolSearch Skill Agent SendMessage"),
    );
    expect(toolsOfPeople).toEqual(["AskUserQuestion", "ExitPlanMode"]);
    expect(exitPlanTool).toBe("ExitPlanMode");
  });

  it("gives the ledgers what they read", () => {
    const filesBy = (action: string) =>
      sorted([...fileTools].flatMap(([name, one]) => (one === action ? name : [])));
    expect(filesBy("read")).toEqual(words("Read NotebookRead read read_file"));
    expect(filesBy("written")).toEqual(words("Write write write_file"));
    expect(filesBy("edited")).toEqual(words("Edit MultiEdit NotebookEdit edit multiedit replace"));
    expect(fileTools.size).toBe(13);
    expect(sorted(commandTools)).toEqual(words("Bash bash shell exec_command run_shell_command"));
    expect(Object.fromEntries(todoTools)).toEqual({
      TodoWrite: "replace",
      todowrite: "replace",
      todo_write: "replace",
      TaskCreate: "create",
      TaskUpdate: "update",
    });
    expect(sorted(planTools)).toEqual(words("ExitPlanMode exit_plan_mode"));
  });

  it("gives clearing what is cleared", () => {
    expect(sorted(clearableTools)).toEqual(
      words(`Read Bash Grep Glob WebSearch WebFetch Edit Write read bash grep glob websearch webfetch edit write
        shell exec_command read_file run_shell_command search_file_content google_web_search web_fetch replace
        write_file Recall`),
    );
    expect(sorted(clearableInputTools)).toEqual(words("Write write write_file Edit edit replace"));
    expect(sorted(listingTools)).toEqual(words("Glob glob Grep grep search_file_content"));
    expect(sorted(lookingTools)).toEqual(words("Glob glob Grep grep search_file_content LS"));
  });

  it("says whose results can be trusted, and what others are called", () => {
    expect(sorted(closedTools)).toEqual(
      words(
        `TodoWrite todowrite todo_write TaskCreate TaskUpdate ExitPlanMode exit_plan_mode AskUserQuestion`,
      ),
    );
    const kinds = (names: string) => new Set(words(names).map(taintKindOf));
    expect(kinds(`TaskOutput BashOutput KillShell TaskStop ${[...commandTools].join(" ")}`)).toEqual(
      new Set(["shell"]),
    );
    expect(kinds("Agent agent Task task TASK SendMessage")).toEqual(new Set(["agent"]));
    expect(kinds("Recall recall memory Memory")).toEqual(new Set(["memory"]));
    expect(kinds("taskoutput SHELL Read TodoWrite constructor")).toEqual(new Set([undefined]));
  });

  it("says what memories are extracted with", () => {
    expect(memoryWritingTools).toEqual(["Write", "Edit"]);
    expect(memoryReadingTools).toEqual(["Read", "Glob", "Grep", "LS", "Recall"]);
    expect(memoryChangingTools).toEqual(["Write", "Edit", "MultiEdit"]);
  });
});
