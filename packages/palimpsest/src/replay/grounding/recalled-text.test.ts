import { describe, expect, it } from "vitest";
import { toRecalledText } from "./recalled-text.ts";

describe("what a recall gives", () => {
  it("has the words of a call behind the escapes of its JSON", () => {
    const words = 'const greeting = "hello";\n\treturn greeting + `\\n`;';
    const text = `Edit ${JSON.stringify({ file_path: "/a.ts", old_string: words })}`;
    expect(text.includes(words)).toBe(false);
    expect(toRecalledText(text).has(words)).toBe(true);
    expect(toRecalledText(text).has(`${words}!`)).toBe(false);
  });

  it("has the lines of a file behind their numbers", () => {
    const recalled = toRecalledText("Read {}\n\n     1→const a = 1;\n     2→const b = 2;");
    expect(recalled.has("const a = 1;\nconst b = 2;")).toBe(true);
  });
});
