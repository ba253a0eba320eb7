// Files as a recorded session last showed them, for what a compaction brings back.

export const notShown = "the recording does not show it whole";

const gutter = /^ *\d+(?:\t|→)/gm;
const reminder = /\n*<system-reminder>[\s\S]*<\/system-reminder>\s*$/;

/**
 * Follows what is read, written and edited. A file is known once it was read or written whole, and as long as every edit
 * since could be made in what is known of it.
 */
export function createRecordedFiles() {
  const texts = new Map();
  const calls = new Map();

  function settle({ name, input }, text) {
    const path = input?.file_path;
    if (typeof path !== "string") return;
    if (name === "Read" && input.offset === undefined && input.limit === undefined)
      texts.set(path, text.replace(reminder, "").replace(gutter, ""));
    if (name === "Write" && typeof input.content === "string") texts.set(path, input.content);
    if (name === "Edit" || name === "MultiEdit")
      for (const edit of input.edits ?? [input]) change(path, edit);
  }

  function change(path, { old_string, new_string, replace_all }) {
    const text = texts.get(path);
    if (text === undefined) return;
    if (typeof old_string !== "string" || !text.includes(old_string)) texts.delete(path);
    else if (replace_all)
      texts.set(
        path,
        text.replaceAll(old_string, () => new_string),
      );
    else
      texts.set(
        path,
        text.replace(old_string, () => new_string),
      );
  }

  return {
    see(content) {
      for (const block of content) {
        if (block.type === "tool_use") calls.set(block.id, block);
        if (block.type !== "tool_result" || block.is_error) continue;
        const call = calls.get(block.tool_use_id);
        if (call) settle(call, textOf(block.content));
      }
    },
    /** The part of the surroundings that a compaction reads files with. */
    async readFile(path) {
      const text = texts.get(path);
      if (text !== undefined) return { ok: true, value: { text } };
      return { ok: false, error: { message: notShown } };
    },
  };
}

function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map((block) => block.text ?? "").join("\n");
}
