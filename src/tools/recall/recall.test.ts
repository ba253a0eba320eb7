import { describe, expect, it } from "vitest";
import { addRound, beginToolSession } from "../../../test/support/tool-rounds.ts";
import type { Session } from "../../spec/index.ts";
import { answerRecall, recallTool } from "./index.ts";

async function withSession(work: (session: Session) => Promise<void>): Promise<void> {
  const { session } = await beginToolSession({ layers: [] });
  await addRound(session, [
    { id: "t1", tool: "Read", input: { file_path: "/a.ts" }, content: "const port = 8123;\n".repeat(10) },
    { id: "t2", tool: "Bash", input: { command: "make test" }, content: "3 tests failed in parser.ts" },
  ]);
  await session.add({ role: "assistant", content: "The parser is broken." });
  await work(session);
  await session.close();
}

const textOf = async (session: Session, input: unknown) => {
  const answered = await answerRecall(session, input);
  return answered.ok ? answered.value : `${answered.error.code}: ${answered.error.message}`;
};

describe("the Recall tool", () => {
  it("gives the whole of what a label names, marked as recalled", async () => {
    await withSession(async (session) => {
      const text = await textOf(session, { id: "t1" });
      expect(text).toMatch(/^<recalled id="t1" kind="tool-use">\nRead \{"file_path":"\/a.ts"\}/);
      expect(text.match(/8123/g)).toHaveLength(10);
    });
  });

  it("gives pages, and says where the next one begins", async () => {
    await withSession(async (session) => {
      const text = await textOf(session, { id: "t1", offset: 10, limit: 30 });
      expect(text).toMatch(/\[Characters 10 to 40 of \d+\. Go on with offset 40\.\]$/);
    });
  });

  it("finds by words what no id is known of, best first", async () => {
    await withSession(async (session) => {
      const text = await textOf(session, { query: "parser failed" });
      expect(text).toMatch(/^<recalled query="parser failed">\n- .* · recall t1, t2\n {2}/);
      expect(await textOf(session, { query: "unicorn" })).toBe(
        "Nothing in this session holds the words “unicorn”.",
      );
    });
  });

  it("says what to do where it is called wrongly", async () => {
    await withSession(async (session) => {
      expect(await textOf(session, {})).toBe("invalid-input: Recall needs an id or a query.");
      expect(await textOf(session, null)).toBe("invalid-input: Recall needs an id or a query.");
      expect(await textOf(session, { id: "gone" })).toMatch(/^not-found: /);
      expect(await textOf(session, { id: "t1", offset: -1 })).toMatch(/^invalid-input: /);
    });
  });

  it("describes itself to a model", () => {
    expect(recallTool).toMatchObject({ name: "Recall", input_schema: { type: "object" } });
  });
});

describe("search over a session", () => {
  it("ranks entries that hold rarer words, and more of them, higher; none twice", async () => {
    await withSession(async (session) => {
      const hits = await session.search("parser broken");
      expect(hits.map(({ snippet }) => snippet)[0]).toBe("The parser is broken.");
      expect(new Set(hits.map(({ entry }) => entry)).size).toBe(hits.length);
      expect(await session.search("port", { limit: 1 })).toMatchObject([{ toolUseIds: ["t1", "t2"] }]);
      expect(await session.search("  ")).toEqual([]);
    });
  });
});
