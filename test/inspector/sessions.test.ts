import { appendFile, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type {
  InspectedEntry,
  InspectedSession,
  ItemText,
} from "../../packages/palimpsest/src/surfaces/inspector/inspected.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { cliHome } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { answers, calls, decides, resultOf, says, text, used } from "./support/drafts.ts";
import { openChangeStream } from "./support/next-change.ts";
import { served } from "./support/served.ts";

const turn = (number: number) => [
  says(`question ${number}`),
  answers(`r${number}`, [text(`answer ${number}`)], { usage: used(1_000 * number, 1_000) }),
];

describe("sessions in the inspector", () => {
  it("lists sessions newest first, with those of agents, and opens each", async () => {
    const home = await cliHome();
    const path = await home.add("parent", [...turn(1), ...turn(2)], { model: "claude-opus-4-5" });
    await utimes(path, 1, 1);
    const writer = must(
      await home.store.logs.create(
        {
          kind: "session",
          session: {
            id: "parent/agent",
            project: "test",
            parent: { session: "parent", seq: 3, prefixDigest: "d" },
          },
        },
        { afterSeq: 3 },
      ),
    );
    must(
      await writer.append([says("look at that"), answers("f1", [text("done")], { usage: used(2_000, 30) })]),
    );
    must(await writer.close());
    const { json } = await served({ home });
    const entries = await json<InspectedEntry[]>("api/sessions");
    expect(entries.map(({ id, isLive }) => [id, isLive])).toEqual([
      ["parent/agent", false],
      ["parent", false],
    ]);
    expect(entries[1]).toMatchObject({ title: "question 1", model: "claude-opus-4-5" });
    const agent = await json<InspectedSession>(`api/sessions/${encodeURIComponent("parent/agent")}`);
    expect(agent.requests.at).toHaveLength(1);
    expect(agent.requests.views[0]?.add.map((number) => agent.items[number]?.title)).toEqual(
      expect.arrayContaining(["question 1", "answer 1", "look at that"]),
    );
    expect(agent.items.map(({ title }) => title)).not.toContain("question 2");
  });

  it("follows a session that another has open, and leaves its writer alone", async () => {
    const home = await cliHome();
    const writer = must(
      await home.store.logs.create({ kind: "session", session: { id: "live", project: "test" } }),
    );
    must(await writer.append(turn(1)));
    const { json, url } = await served({ home });
    const first = await json<InspectedSession>("api/sessions/live");
    expect([first.isLive, first.requests.at.length]).toEqual([true, 1]);
    const changes = await openChangeStream(`${url}api/sessions/live/watch`);
    for (const number of [2, 3, 4]) {
      must(await writer.append(turn(number)));
      await changes.next();
      const { generation } = first;
      const query = new URLSearchParams({
        request: String(number - 1),
        item: String(first.items.length + 2 * (number - 2)),
        mark: "0",
        generation: String(generation),
      });
      const more = await json<InspectedSession>(`api/sessions/live?${query}`);
      expect(more.generation).toBe(generation);
      expect([more.from.request, more.requests.tokens]).toEqual([number - 1, [1_000 * number + 1_003]]);
      expect(more.items.map(({ title }) => title)).toEqual([`answer ${number - 1}`, `question ${number}`]);
    }
    await changes.close();
    must(await writer.close());
    expect((await json<InspectedSession>("api/sessions/live")).isLive).toBe(false);
  });

  it("begins anew once a session was redacted, and shows the mask", async () => {
    const home = await cliHome();
    const path = await home.add("one", [says("the word is swordfish"), answers("r1", [text("ok")])]);
    const { json } = await served({ home });
    const before = await json<InspectedSession>("api/sessions/one");
    const redacted = await home.run(["sessions", "redact", "one", "--secret-file", "-", "--yes"], {
      input: "swordfish",
    });
    expect([redacted.code, (await readFile(path, "utf8")).includes("swordfish")]).toEqual([0, false]);
    const after = await json<InspectedSession>(
      `api/sessions/one?request=1&item=1&mark=0&generation=${before.generation}`,
    );
    expect(after.generation).not.toBe(before.generation);
    expect(after.from.request).toBe(0);
    const texts = await json<ItemText[]>("api/sessions/one/texts?items=0");
    expect(texts[0]?.shown).not.toContain("swordfish");
  });

  it("shows what can be read of a damaged log, and says what cannot", async () => {
    const home = await cliHome();
    const path = await home.add("one", [...turn(1), ...turn(2)]);
    const lines = (await readFile(path, "utf8")).split("\n");
    lines[2] = `${lines[2]?.slice(0, 20)}XX${lines[2]?.slice(22)}`;
    await writeFile(path, `${lines.join("\n")}{"v":1,"torn`);
    const { json } = await served({ home });
    const { requests, damage } = await json<InspectedSession>("api/sessions/one");
    expect(requests.at.length).toBeGreaterThan(0);
    expect(damage).toEqual([expect.stringMatching(/^corrupt: /), "The last line is not finished."]);
  });

  it("reads large values back, and goes on without those that are gone", async () => {
    const home = await cliHome();
    const large = "x".repeat(100_000);
    await home.add("one", [
      says("go"),
      answers("r1", [calls("t1", "Read", { file_path: "/big" })]),
      resultOf("t1", large),
      answers("r2", [text("ok")]),
    ]);
    const { json } = await served({ home });
    const session = await json<InspectedSession>("api/sessions/one");
    const number = session.items.findIndex(({ kind }) => kind === "tool_result");
    expect(session.items[number]?.tokens).toBeGreaterThan(20_000);
    const [whole] = await json<ItemText[]>(`api/sessions/one/texts?items=${number}`);
    expect(whole?.shown).toBe(large);
    await rm(must(home.store.layout.blobs("one")), { recursive: true });
    const again = await served({ home });
    const without = await again.json<InspectedSession>("api/sessions/one");
    expect(without.requests.at).toHaveLength(2);
    expect(without.damage).toEqual([expect.stringContaining("entry")]);
  });

  it("goes back after an undone clear and a rewind, read from the log", async () => {
    const home = await cliHome();
    const head = { layer: "test", reason: "tried", frees: 9 } as const;
    await home.add("one", [
      says("go"),
      answers("r1", [calls("t1", "Read", {})]),
      resultOf("t1", "found"),
      answers("r2", [text("a")]),
      {
        id: "d1",
        ...decides({
          ...head,
          basis: 5,
          type: "clear",
          parts: [{ toolUseId: "t1", part: "result", label: "[gone]" }],
        }),
      },
      answers("r3", [text("b")]),
      decides({ ...head, basis: 7, type: "restore", decision: "d1", decisionSeq: 6 }),
      answers("r4", [text("c")]),
    ]);
    const { json } = await served({ home });
    const { requests, items } = await json<InspectedSession>("api/sessions/one");
    let view: number[] = [];
    const states = requests.views.map(({ keep, add }) => {
      view = [...view.slice(0, keep), ...add];
      return view.flatMap((number) => (items[number]?.kind === "tool_result" ? items[number]?.state : []));
    });
    expect(states).toEqual([[], ["whole"], ["cleared"], ["whole"]]);
  });

  it("shows transcripts of other tools, and what was added to them", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "talk.jsonl");
    const line = (type: string, uuid: string, message: object) =>
      `${JSON.stringify({ type, uuid, sessionId: "s", timestamp: "2026-01-01T00:00:00.000Z", message })}\n`;
    const user = (uuid: string, content: string) => line("user", uuid, { role: "user", content });
    const assistant = (uuid: string, id: string) =>
      line("assistant", uuid, {
        id,
        role: "assistant",
        model: "claude-opus-4-5",
        content: [{ type: "text", text: `answer ${id}` }],
        usage: {
          input_tokens: 3,
          output_tokens: 5,
          cache_read_input_tokens: 0,
          cache_creation_input_tokens: 9_000,
        },
      });
    await writeFile(path, user("u1", "hello") + assistant("a1", "m1"));
    const { json, url } = await served({ scope: () => ({ files: [path] }) });
    const [entry] = await json<InspectedEntry[]>("api/sessions");
    expect(entry).toMatchObject({ id: "talk.jsonl", title: "hello", model: "claude-opus-4-5" });
    const first = await json<InspectedSession>("api/sessions/talk.jsonl");
    const changes = await openChangeStream(`${url}api/sessions/talk.jsonl/watch`);
    await appendFile(path, user("u2", "more") + assistant("a2", "m2"));
    await changes.next();
    const more = await json<InspectedSession>(
      `api/sessions/talk.jsonl?request=1&item=${first.items.length}&mark=0&generation=${first.generation}`,
    );
    expect([more.from.request, more.requests.tokens]).toEqual([1, [9_003]]);
    await changes.close();
  });

  it("reads a long session page by page, and then only what is new of it", async () => {
    const home = await cliHome();
    const writer = must(
      await home.store.logs.create({ kind: "session", session: { id: "long", project: "test" } }),
    );
    must(await writer.append(Array.from({ length: 1_500 }, (_, number) => turn(number + 1)).flat()));
    const { json } = await served({ home });
    const all = await json<InspectedSession>("api/sessions/long");
    expect([all.requests.at.length, all.items.length]).toEqual([1_500, 3_000]);
    must(await writer.append(turn(1_501)));
    const more = await json<InspectedSession>(
      `api/sessions/long?request=1500&item=3000&mark=0&generation=${all.generation}`,
    );
    expect([more.requests.views, more.items.length]).toEqual([[{ keep: 3_000, add: [3_000, 3_001] }], 2]);
    must(await writer.close());
  });

  it("zips large answers for those who take that", async () => {
    const home = await cliHome();
    await home.add("one", Array.from({ length: 20 }, (_, number) => turn(number + 1)).flat());
    const { get } = await served({ home });
    const zipped = await get("api/sessions/one", { "accept-encoding": "gzip" });
    const plain = await get("api/sessions/one", { "accept-encoding": "identity" });
    expect([zipped.headers.get("content-encoding"), plain.headers.get("content-encoding")]).toEqual([
      "gzip",
      null,
    ]);
    expect(await zipped.json()).toEqual(await plain.json());
  });
});
