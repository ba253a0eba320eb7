import type { ChangeReason } from "@palimpsest/core/internal";
import type { Result, Tool, ToolOutcome } from "@palimpsest/core/spec";
import type { TextEdit } from "../../tools/files/editing/apply-edit.ts";
import { applyEdits } from "../../tools/files/editing/apply-edits.ts";
import type { MemoryCopy } from "./memory-copy.ts";

const path = { type: "string", description: "A file of the memory folder, such as topic.md." };
const why = {
  reason: { type: "string", description: "Why, in a few words, for the person who looks at the changes." },
  contradiction: {
    type: "string",
    description: "Only for a confirmed memory: what contradicts it, where it was said, and when.",
  },
};

interface Input extends ChangeReason {
  readonly file_path: string;
  readonly content: string;
}

/** The only tools of a dream that change something: they change the copy. */
export function createCopyTools(copy: MemoryCopy): readonly Tool[] {
  return [
    {
      name: "List",
      description: "Lists the files of the memory folder as you have left them, with their sizes.",
      input_schema: schema({}, []),
      isReadOnly: true,
      run: async () => ({ content: listing(copy) || "The folder is empty." }),
    },
    {
      name: "Read",
      description: "Gives a file of the memory folder as you have left it.",
      input_schema: schema({ file_path: path }, ["file_path"]),
      isReadOnly: true,
      run: async (input) => outcome(copy.read((input as Input).file_path), (text) => text),
    },
    {
      name: "Write",
      description: "Writes a whole memory, new or in place of the one that is there.",
      input_schema: schema({ file_path: path, content: { type: "string" }, ...why }, [
        "file_path",
        "content",
        "reason",
      ]),
      async run(input) {
        const { file_path: to, content, ...more } = input as Input;
        return outcome(copy.write(to, content, toReason(more)), () => `Written: ${to}.`);
      },
    },
    {
      name: "Edit",
      description: "Replaces one passage of a memory; old_string must stand in it exactly once.",
      input_schema: schema(
        { file_path: path, old_string: { type: "string" }, new_string: { type: "string" }, ...why },
        ["file_path", "old_string", "new_string", "reason"],
      ),
      run: async (input) => edit(copy, input as Input & TextEdit),
    },
    {
      name: "Remove",
      description: "Removes a memory. Write what is worth keeping into another one first.",
      input_schema: schema({ file_path: path, ...why }, ["file_path", "reason"]),
      async run(input) {
        const { file_path: from, ...more } = input as Input;
        return outcome(copy.remove(from, toReason(more)), () => `Removed: ${from}.`);
      },
    },
  ];
}

function schema(properties: object, required: readonly string[]) {
  return { type: "object", properties, required, additionalProperties: false };
}

function listing(copy: MemoryCopy): string {
  return copy
    .paths()
    .map((one) => `${one}  ${Buffer.byteLength(copy.texts.get(one) ?? "")} bytes`)
    .join("\n");
}

function edit(
  copy: MemoryCopy,
  { file_path: to, old_string, new_string, ...more }: Input & TextEdit,
): ToolOutcome {
  const read = copy.read(to);
  if (!read.ok) return outcome(read, () => "");
  const applied = applyEdits(Buffer.from(read.value), "utf-8", [{ old_string, new_string }], to);
  if (!applied.ok) return outcome(applied, () => "");
  const text = Buffer.from(applied.value.bytes).toString("utf8");
  return outcome(copy.write(to, text, toReason(more)), () => applied.value.report);
}

function toReason({ reason, contradiction }: ChangeReason): ChangeReason {
  const said = reason.trim() || "put in order";
  return contradiction?.trim() ? { reason: said, contradiction } : { reason: said };
}

function outcome<T>(result: Result<T>, show: (value: T) => string): ToolOutcome {
  if (result.ok) return { content: show(result.value) || "(empty)" };
  const { message, fix } = result.error;
  return { content: [message, fix].filter(Boolean).join(" "), isError: true };
}
