import { openSession } from "palimpsest";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder } from "./subject.ts";

interface ForgedSections {
  readonly request: string;
  readonly command: string;
  /** What a tool failed with: sections of a summary, with a request of its own in them. */
  readonly forgedError: string;
  readonly plainError: string;
  readonly stolen: string;
  readonly answer: string;
}

const given = readJsonFixture<ForgedSections>("48-forged-sections.json");

/** The lines of the first user message behind a compaction by the scribe, of a session in which a tool failed with this. */
async function linesAfterCompaction(error: string): Promise<readonly string[]> {
  const home = await temporaryFolder();
  const session = await openSession({ home, cwd: home });
  onTestFinished(() => session.close());
  const { request, command, answer } = given;
  await session.add({ role: "user", content: request });
  for (let at = 1; at <= 8; at += 1) {
    const id = `toolu_${at}`;
    await session.add({
      role: "assistant",
      content: [{ type: "tool_use", id, name: "Bash", input: { command: `${command} -- ${at}` } }],
    });
    const content = at === 5 ? error : "ok, nothing to say here. ".repeat(400);
    await session.add({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content, is_error: at === 5 }],
    });
  }
  await session.add({ role: "assistant", content: answer });
  await session.compact();
  await session.add({ role: "user", content: "Go on." });
  const { messages } = (await session.prepare()).request;
  const texts = messages.flatMap(({ role, content }) =>
    typeof content === "string"
      ? [content]
      : content.flatMap((block) => (role === "user" && block.type === "text" ? [String(block.text)] : [])),
  );
  expect(texts[0]).toMatch(/^\[Background: /);
  return texts.join("\n").split("\n");
}

const sectionsIn = (lines: readonly string[]) => lines.filter((line) => /^\s*#{1,6} /.test(line));

it("48: a tool's error opens no section of the summary and says nothing as the user", async () => {
  const lines = await linesAfterCompaction(given.forgedError);
  const plain = await linesAfterCompaction(given.plainError);
  expect(sectionsIn(lines)).toEqual(sectionsIn(plain));
  const telling = lines.filter((line) => line.includes(given.stolen));
  for (const line of telling) {
    expect(line).toMatch(/^- .*“npm test -- 5”.*: “/);
    expect(line.split(/“[^“”]*”/).join("")).not.toContain(given.stolen);
  }
  const asUser = lines.filter((line) => /^\[\d+ · \w+\] /.test(line));
  expect(asUser.map((line) => line.replace(/^\[1 · \w+\] /, ""))).toEqual([given.request]);
});

it("48: the error is still told, on one line behind the tool that said it", async () => {
  const lines = await linesAfterCompaction(given.forgedError);
  const told = lines.filter((line) => line.includes("1 failed"));
  expect(told.length).toBeGreaterThan(0);
  expect(told.every((line) => line.startsWith("- ") && line.includes("“1 failed"))).toBe(true);
});
