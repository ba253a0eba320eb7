import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTo } from "../../../../../test/support/check-projection.ts";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import type { ContentBlock, FileRecord, Ledgers, ViewItem } from "../../spec/index.ts";
import { clearableParts } from "../clearing/clearable-parts.ts";
import { createProjection } from "../projection/projection.ts";
import { requestsBack, type WorkingSetNumbers, workingFilesOf, workingSet } from "./working-set.ts";

const numbers: WorkingSetNumbers = {
  workingRequests: 2,
  workingReadRequests: 4,
  workingReadFiles: 2,
  workingChangedFiles: 1,
  workingFiles: 1,
};

type Step = readonly [tool: "Read" | "Edit" | "Write" | "Bash" | "user", argument?: string];

const long = "word ".repeat(1_000);

function inputOf(tool: string, argument: string) {
  if (tool === "Bash") return { command: argument };
  if (tool === "Edit") return { file_path: argument, old_string: long, new_string: "new" };
  return tool === "Write" ? { file_path: argument, content: long } : { file_path: argument };
}

/** A view in which each step is a request of its own; ids are tool, argument and number. */
function viewOf(steps: readonly Step[]) {
  const items: ViewItem[] = [];
  const files = new Map<string, FileRecord>();
  const userMessages: Ledgers["userMessages"][number][] = [];
  let seq = 0;
  const push = (role: ViewItem["role"], block: ContentBlock) => {
    seq += 1;
    items.push({ role, entry: `e${seq}`, seq, index: 0, block, json: JSON.stringify(block) });
  };
  for (const [number, [tool, argument = ""]] of steps.entries()) {
    if (tool === "user") {
      push("user", { type: "text", text: argument });
      userMessages.push({ entry: `e${seq}`, seq, text: argument });
      continue;
    }
    const id = `${tool} ${argument} ${number}`;
    push("assistant", { type: "tool_use", id, name: tool, input: inputOf(tool, argument) });
    push("user", { type: "tool_result", tool_use_id: id, content: long });
    if (tool === "Bash") continue;
    const action = ({ Read: "read", Edit: "edited", Write: "written" } as const)[tool];
    const field = `${action === "edited" ? "edited" : action === "read" ? "read" : "written"}Seq`;
    const before = files.get(argument);
    files.set(argument, {
      path: argument,
      at: "",
      changedSinceRead: false,
      ...before,
      lastAction: action,
      seq,
      toolUseId: id,
      [field]: seq,
    } as FileRecord);
  }
  const ledgers = { files, userMessages, unresolvedErrors: [] } as unknown as Ledgers;
  return { items, ledgers };
}

/** What of the steps is in the working set, as `part id`. */
function kept(steps: readonly Step[]): readonly string[] {
  const view = viewOf(steps);
  const parts = clearableParts(view.items);
  return parts.filter(workingSet(view, parts, numbers)).map(({ part, toolUseId }) => `${part} ${toolUseId}`);
}

const pause: readonly Step[] = [
  ["Bash", "a"],
  ["Bash", "b"],
];
const longPause: readonly Step[] = [...pause, ["Bash", "c"], ["Bash", "d"], ["Bash", "e"]];
const ofPause = ["result Bash a", "result Bash b", "result Bash c", "result Bash d", "result Bash e"];
const beside = (found: readonly string[]) =>
  found.filter((one) => !ofPause.some((start) => one.startsWith(start)));

describe("the working set", () => {
  it("has what the newest requests called, whatever it was", () => {
    expect(kept([["Bash", "x"], ...pause])).toEqual(["result Bash a 1", "result Bash b 2"]);
  });

  it("has a file that was read in this turn and not changed since", () => {
    expect(beside(kept([["user", "Go."], ["Read", "/f"], ...longPause]))).toEqual(["result Read /f 1"]);
  });

  it("has a file of a former turn for some requests only", () => {
    const after = (steps: readonly Step[]) => beside(kept([["Read", "/f"], ["user", "And now?"], ...steps]));
    expect(after(longPause.slice(0, 3))).toEqual(["result Read /f 0"]);
    expect(after(longPause)).toEqual([]);
  });

  it("has the files read last where there are many", () => {
    const reads = ["/1", "/2", "/3"].map((path): Step => ["Read", path]);
    expect(beside(kept([["user", "Go."], ...reads, ...pause]))).toEqual([
      "result Read /2 2",
      "result Read /3 3",
    ]);
  });

  it("has the reading of a file while it is being changed, and until another one is", () => {
    const edited: readonly Step[] = [
      ["Read", "/f"],
      ["Edit", "/f"],
    ];
    expect(beside(kept([...edited, ...longPause]))).toEqual(["result Read /f 0"]);
    expect(beside(kept([...edited, ["Edit", "/other"], ...longPause]))).toEqual([]);
  });

  it("has no older version of what was read or written again", () => {
    const again = (tool: "Read" | "Write") => beside(kept([["Read", "/f"], [tool, "/f"], ...longPause]));
    expect(again("Read")).toEqual(["result Read /f 1"]);
    expect(again("Write")).toEqual(["input Write /f 1"]);
  });

  it("has what the model wrote into the files changed last, and none of it twice", () => {
    const first: readonly Step[] = [
      ["Write", "/f"],
      ["Write", "/f"],
    ];
    expect(beside(kept([...first, ...longPause]))).toEqual(["input Write /f 1"]);
    expect(beside(kept([...first, ["Edit", "/other"], ...longPause]))).toEqual([]);
  });
});

describe("the files of the working set", () => {
  const filesOf = (steps: readonly Step[]) => workingFilesOf(viewOf(steps).ledgers, numbers);

  it("are those changed last and those read in this turn, the last touched first", () => {
    const steps: readonly Step[] = [
      ["Edit", "/old"],
      ["Edit", "/changed"],
      ["Read", "/before"],
      ["user", "And now?"],
      ["Read", "/now"],
    ];
    expect(filesOf(steps)).toEqual(["/now", "/changed"]);
  });

  it("are none where no file was touched", () => {
    expect(filesOf([["user", "Go."], ...pause])).toEqual([]);
  });
});

describe("requestsBack", () => {
  it("says what counting all responses of a view says, after any operation", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 40, size: "max" });
    fc.assert(
      fc.property(operations, fc.integer({ min: 1, max: 6 }), (all, count) => {
        const history = createHistory();
        const projection = createProjection();
        for (const one of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
        }
        const { items } = projection.projected;
        expect(requestsBack(items, count)).toBe(countedFromTheBeginning(items, count));
      }),
      { numRuns: 300 },
    );
  });
});

function countedFromTheBeginning(items: readonly ViewItem[], count: number): number {
  const starts: number[] = [];
  let response: string | undefined;
  for (const [at, item] of items.entries()) {
    if (item.role !== "assistant") continue;
    const isNext = items[at - 1]?.role === "assistant";
    if (!isNext && (item.response === undefined || item.response !== response)) starts.push(at);
    response = item.response;
  }
  return starts.at(-count) ?? 0;
}
