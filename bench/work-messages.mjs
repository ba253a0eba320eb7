import { estimateContent } from "../packages/core/build/view/tokens/index.js";

const line =
  "  const settled = await queue.append(lines); // see src/log/append-queue.ts:42 and docs/log.md\n";

/** A session of so many tokens: rounds of reads, edits, commands and searches, with words between them. */
export function workMessages(tokens) {
  const messages = [];
  let counted = 0;
  const add = (role, content) => {
    messages.push({ role, content });
    counted += estimateContent(content);
  };
  for (let round = 0; counted < tokens; round += 1) {
    if (round % 10 === 0)
      add("user", `Please look at part ${round}, and never touch src/spec/part-${round % 40}.ts.`);
    const path = `/home/user/project/src/part-${round % 60}.ts`;
    const id = `toolu_${round}`;
    const use = [
      { name: "Read", input: { file_path: path } },
      { name: "Edit", input: { file_path: path, old_string: line, new_string: line.repeat(6) } },
      { name: "Bash", input: { command: `npm test -- part-${round}` } },
      { name: "Grep", input: { pattern: `settled${round}`, path: "src" } },
    ][round % 4];
    add("assistant", [
      { type: "text", text: `Now I look at part ${round}, since its queue may lose what was appended last.` },
      { type: "tool_use", id, ...use },
    ]);
    const content = round % 4 === 0 ? line.repeat(60) : line.repeat(8);
    add("user", [
      { type: "tool_result", tool_use_id: id, content, ...(round % 13 === 2 && { is_error: true }) },
    ]);
  }
  return { messages, tokens: counted };
}
