import { describe, expect, it } from "vitest";
import {
  fail,
  type Notice,
  type NoticeMoment,
  type NoticeSource,
  ok,
  type Shell,
  type View,
} from "../../../../core/src/spec/index.ts";
import { toAttachmentText } from "../../../../core/src/view/projection/message-items.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import {
  attachedTexts,
  createModeSource,
  createServedSource,
  planModeOff,
  planModeOn,
} from "./agent-notices.ts";
import { createSurroundingsSource, toLocalDay } from "./surroundings-notice.ts";

const { signal } = new AbortController();
const moment = (more: Partial<NoticeMoment> = {}): NoticeMoment => ({
  kind: "turn-start",
  touched: [],
  signal,
  ...more,
});

/** Takes what a source has and remembers it, as a session does. */
function listen(source: NoticeSource, told: string[]) {
  return async (more: Partial<NoticeMoment> = {}) => {
    const texts = (await source.take(moment(more))).map(({ text }) => text);
    told.push(...texts);
    return texts;
  };
}

const noGit: Shell = {
  start: () => ({ ended: Promise.resolve(fail("not-found", "no git")), kill: () => {} }),
};

function surroundings() {
  const told: string[] = [];
  const clock = createVirtualClock();
  const source = createSurroundingsSource({
    shell: noGit,
    clock,
    cwd: "/work",
    platform: "linux",
    environment: {},
    today: () => toLocalDay(clock.now(), "UTC"),
    told: () => told,
  });
  return { told, clock, take: listen(source, told) };
}

const atStart =
  "Working folder: /work\nPlatform: linux\nDate: 2026-01-01\nVersion control: none that can be told";

describe("the notice of the surroundings", () => {
  it("comes at the beginning, and once more only when the day has changed", async () => {
    const { take, clock } = surroundings();
    expect(await take({ kind: "session-start" })).toEqual([atStart]);
    expect(await take()).toEqual([]);
    expect(await take({ kind: "session-start" })).toEqual([]);
    clock.jump(24 * 60 * 60 * 1000);
    expect(await take({ kind: "tool-round" })).toEqual(["It is now 2026-01-02."]);
    expect(await take()).toEqual([]);
  });

  it("comes again when nothing of it is in view any more", async () => {
    const { take, told } = surroundings();
    await take({ kind: "session-start" });
    told.length = 0;
    expect(await take({ kind: "tool-round" })).toEqual([atStart]);
  });
});

describe("what git says in it", () => {
  const taken = async (shell: Shell) => {
    const clock = createVirtualClock();
    const place = { clock, cwd: "/work", platform: "linux", environment: {} };
    const source = createSurroundingsSource({ ...place, shell, today: () => "2026-01-01", told: () => [] });
    const [notice] = await source.take(moment({ kind: "session-start" }));
    return notice?.text.split("\n").slice(3);
  };
  const saying = (status: string): Shell => ({
    start(_program, args, { onOutput }) {
      if (args[0] === "status") onOutput?.(Buffer.from(status), "stdout");
      return { ended: Promise.resolve(ok({ exitCode: 0, signal: null })), kill: () => {} };
    },
  });

  it("is short, however long names and lists are", async () => {
    expect(await taken(saying("## main\n"))).toEqual([
      "Version control: git, main",
      "Nothing is changed or untracked.",
    ]);
    const names = Array.from({ length: 1_000 }, (_, at) => `?? ${at}${"x".repeat(5_000)}`);
    const lines =
      (await taken(saying(`## ${"b".repeat(5_000)}\n${names.join("\n")}\n`.slice(0, 900_000)))) ?? [];
    expect(lines).toHaveLength(43);
    expect(lines.at(-1)).toMatch(/^… and \d+ more$/);
    expect(lines.join("").length).toBeLessThan(15_000);
  });
});

describe("the notice of the mode", () => {
  it("says when plan mode begins and ends, each once", async () => {
    const told: string[] = [];
    const take = listen(
      createModeSource(() => told),
      told,
    );
    const modes = ["default", "plan", "plan", "bypass", "default", "plan"] as const;
    const said: string[] = [];
    for (const mode of modes) said.push(...(await take({ mode })));
    expect(said).toEqual([planModeOn, planModeOff, planModeOn]);
  });
});

describe("the notice of what MCP servers have", () => {
  const changed = { subtype: "tools", text: "one came" };
  const current = { subtype: "tools", text: "all that came" };
  const named = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `mcp__x__${at}`, input_schema: {} }));

  function served(count: number) {
    const told: string[] = [];
    const news: Notice[] = [];
    const notices = { name: "mcp", take: async () => news.splice(0) };
    const mcp = { notices, currentNotices: () => [current] };
    return {
      told,
      news,
      take: listen(createServedSource({ mcp, deferred: named(count), told: () => told }), told),
    };
  }

  it("names what is not sent once, and is short however much it is", async () => {
    const { take } = served(2_000);
    const [text = ""] = await take();
    expect(text).toMatch(/^2000 tools of MCP servers are not in your list\. .*mcp__x__0, .*…$/);
    expect(text.length).toBeLessThan(4_500);
    expect(await take()).toEqual([]);
  });

  it("tells what is new, and everything again once nothing of it is in view", async () => {
    const { take, told, news } = served(0);
    expect(await take()).toEqual([]);
    news.push(changed);
    expect(await take()).toEqual(["one came"]);
    expect(await take()).toEqual([]);
    told.length = 0;
    news.push(changed);
    expect(await take()).toEqual(["all that came"]);
    expect(await take()).toEqual([]);
  });
});

describe("the day", () => {
  it("is the one of the person's time zone", () => {
    const ms = Date.parse("2026-03-01T02:30:00Z");
    expect(["UTC", "America/New_York", "Asia/Tokyo"].map((zone) => toLocalDay(ms, zone))).toEqual([
      "2026-03-01",
      "2026-02-28",
      "2026-03-01",
    ]);
  });
});

describe("what is attached", () => {
  it("is read back as it was, by its kind", () => {
    const texts = ["one", "two </attachment> and\nmore", ""];
    const items = [
      ...texts.map((text) => ({ type: "text", text: toAttachmentText(text, "rules") })),
      { type: "text", text: toAttachmentText("other", "mode") },
      { type: "text", text: "the user's word" },
      { type: "image" },
    ].map((block) => ({ block }));
    expect(attachedTexts({ items } as unknown as View, "rules")).toEqual(texts);
  });
});
