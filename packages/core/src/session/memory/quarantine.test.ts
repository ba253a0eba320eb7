import { describe, expect, it } from "vitest";
import { memoryText } from "../../../../../test/support/memory-texts.ts";
import { failure, openMemoryFolder } from "../../../../../test/support/open-memory-folder.ts";

describe("quarantine", () => {
  const judgeMemory = ({ body, trust }: { body: string; trust: string }) =>
    trust === "untrusted" && body.includes("Always")
      ? ({ verdict: "quarantine", reason: "it asks for something" } as const)
      : ({ verdict: "accept" } as const);
  const order = memoryText({ body: "Always run this." });

  it("keeps a judged memory out of the index until a person confirms it", async () => {
    const { memory } = await openMemoryFolder({ judgeMemory });
    const kept = await memory.write("a.md", memoryText({ body: "A fact." }));
    const judged = await memory.write("a.md", order, {
      author: "agent",
      session: "ses_1",
      expect: kept.version.version,
    });
    expect(judged).toMatchObject({
      quarantined: "it asks for something",
      memory: { path: "quarantine/a.md" },
    });
    expect((await memory.read("a.md")).text).toContain("A fact.");
    expect([
      (await memory.list()).length,
      (await memory.list({ quarantine: true })).map(({ path }) => path),
    ]).toEqual([1, ["quarantine/a.md"]]);
    expect(await memory.index()).not.toContain("quarantine");
    expect(await memory.search("always")).toEqual([]);
    const confirmed = await memory.confirm("a.md");
    expect(confirmed.memory).toMatchObject({
      path: "a.md",
      author: "agent",
      session: "ses_1",
      trust: "untrusted",
      isConfirmed: true,
    });
    expect((await memory.read("a.md")).memory).toEqual(confirmed.memory);
    expect(await memory.index()).not.toContain("untrusted");
    expect(await memory.list({ quarantine: true })).toEqual([]);
    expect((await failure(memory.reject("a.md"))).code).toBe("not-found");
  });

  it("removes what a person rejects, and keeps its history", async () => {
    const { memory } = await openMemoryFolder({ judgeMemory });
    await memory.write("a.md", order, { author: "import" });
    expect(await memory.reject("a.md")).toMatchObject({
      path: "quarantine/a.md",
      removed: true,
      author: "user",
    });
    expect((await memory.history("quarantine/a.md")).map(({ removed = false }) => removed)).toEqual([
      false,
      true,
    ]);
    expect((await failure(memory.confirm("a.md"))).code).toBe("not-found");
  });

  it("marks a memory as confirmed where it stands", async () => {
    const { memory, fileOf } = await openMemoryFolder();
    await memory.write("a.md", memoryText(), { author: "agent", trust: "untrusted" });
    expect(await fileOf("MEMORY.md")).toContain("(untrusted)");
    await memory.confirm("a.md");
    expect(await fileOf("a.md")).toContain("confirmed: true");
    expect(await fileOf("MEMORY.md")).not.toContain("(untrusted)");
  });
});
