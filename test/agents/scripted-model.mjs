import { callTool, say } from "../../packages/testing/build/index.js";

/**
 * A model that reads one record after another with the agent's own tool, and says each time which codes it knows: those
 * that stand in the request that it answers, and no others. At the end it reads the records again whose codes it does not
 * know by then, and answers when it knows all of them.
 */
export function scriptedModel(records) {
  return (request, { notes }) => {
    const tool = request.whole.tools?.find(({ name }) => name.toLowerCase() === "read");
    // A request without tools wants a title.
    if (tool === undefined) return say("Codes of records");
    const calls = notes.get("calls") ?? 0;
    const seen = JSON.stringify(request.whole.messages);
    const known = records.filter(({ code }) => seen.includes(code));
    const next = records[calls] ?? records.find((record) => !known.includes(record));
    const codes = known.map(({ code }) => code).join(" ");
    if (next === undefined) return say(codes);
    if (calls >= 2 * records.length) return say(`The code of ${next.name} cannot be found.`);
    notes.set("calls", calls + 1);
    const input = { [pathField(tool)]: next.path };
    return [
      say(`Codes so far: ${codes}. Next is ${next.name}.`),
      callTool(tool.name, input, `toolu_${calls}`),
    ];
  };
}

const pathField = ({ input_schema: { properties } }) =>
  Object.keys(properties).find((name) => /path/i.test(name));
