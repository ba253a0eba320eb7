import { describe, expect, it } from "vitest";
import { isMet } from "../../bench/reporting.mjs";
import { benchSection } from "../../scripts/results/bench-section.mjs";
import { contextSvg } from "../../scripts/results/context-svg.mjs";
import { page } from "../../scripts/results/page.mjs";
import { paretoPicture } from "../../scripts/results/pareto-picture.mjs";
import { placeLabels } from "../../scripts/results/place-labels.mjs";
import { replaySection } from "../../scripts/results/replay-section.mjs";
import { runPart, withoutPaths } from "../../scripts/results/run-part.mjs";
import { shortName } from "../../scripts/results/short-name.mjs";
import { withOneName } from "../../scripts/results/with-one-name.mjs";

const estimate = (value: number) => ({ value, interval: [value, value] });

function policy(name: string, cost: number, ofCheapest: number, kept: number) {
  const share = { inView: estimate(kept), withRecall: estimate(kept), needs: 10 };
  return {
    policy: name,
    cost: {
      "0.1": {
        plain: estimate(cost),
        fetched: estimate(cost),
        excess: estimate(cost),
        excessOfCheapest: ofCheapest,
      },
    },
    requests: 60,
    breaks: { policy: 1, idle: 0, recorded: 0 },
    context: { mean: 1000, p95: 2000, peak: 3000 },
    overflows: 0,
    invalid: 0,
    all: share,
    isPareto: true,
    fetches: { blocks: 4, tokens: 1200, byTool: { "Edit input": 1, Read: 2, mcp__secret__tool: 1 } },
    headline: { edit_old: share, num: share },
    retention: {
      userMessages: { asked: 10, kept: 10 },
      latestUserMessage: { asked: 10, kept: 9 },
      rules: { asked: 0, kept: 0 },
    },
  };
}

const report = {
  ttl: "5m",
  priceRows: ["0.1"],
  sessions: {
    files: 2,
    measured: 1,
    measuredRequests: 60,
    whole: 1,
    inParts: [],
    excluded: [{ name: "0a1b2c3d-0000-4000-8000-000000000000.jsonl", reason: "/home/x/talk.jsonl is odd" }],
    unreadable: [],
    duplicates: [],
  },
  atoms: { needed: 1, novel: 2, fixed: 3, given: 4 },
  policies: [policy("identity", 1, 2, 1), policy("faithful", 0.5, 0.4, 0.9)],
  goals: [
    {
      what: "extra cost compared with the cheapest alternative, prices 0.1",
      row: "0.1",
      value: 0.4,
      oracle: 1.1,
      atMost: 0.5,
    },
    {
      what: "far edit_old in view or one recall away",
      row: "0.1",
      value: 0.9,
      oracle: 1,
      atLeast: 0.98,
      why: {
        text: "1 of 10 not found: 1 cleared without an id for recall",
        sessions: [{ name: "0a1b2c3d-0000-4000-8000-000000000000.jsonl", amount: "1 of 4" }],
      },
    },
    {
      what: "rules word for word",
      row: "0.1",
      value: null,
      oracle: null,
      atLeast: 1,
      why: { text: "no recorded session holds a rules line", sessions: [] },
    },
    { what: "invalid requests", row: "0.1", value: 0, oracle: 0, atMost: 0 },
  ],
};

const about = { isWholeSet: false, took: { wallMs: 1, cpuMs: 1, rss: 1 } };

describe("results", () => {
  it("says plainly which goals are met and which are missed", () => {
    const lines = replaySection(report, about);
    expect(lines).toContainEqual(
      expect.stringMatching(/^Of 4 goals 2 are met and 1 missed; 1 could not be measured\. /),
    );
    expect(lines).toContain(
      "| far edit\\_old in view or one recall away | 0.1 | 0.900 | 1.000 | ≥ 0.98 | **missed** | 0.080 |",
    );
    expect(lines).toContain(
      "| extra cost compared with the cheapest alternative, prices 0.1 | 0.1 | 0.400 | 1.100 | ≤ 0.5 | met | – |",
    );
    expect(lines).toContain("| invalid requests | 0.1 | 0 | 0 | ≤ 0 | met | – |");
  });

  it("says why goals are missed or could not be measured, with sessions by short names", () => {
    expect(replaySection(report, about)).toEqual(
      expect.arrayContaining([
        "- far edit\\_old in view or one recall away, missed: 1 of 10 not found: 1 cleared without an id for recall; by session: 0a1b2c3d 1 of 4.",
        "- rules word for word, not measurable: no recorded session holds a rules line.",
      ]),
    );
  });

  it("says where the time of a whole set went that took too long, and nothing of what is met", () => {
    const took = { wallMs: 240_000, cpuMs: 90_000, rss: 1 };
    const lines = replaySection(report, { isWholeSet: true, took });
    expect(lines).toContain(
      "| all sessions under all policies, minutes | – | 4.000 | – | ≤ 3 | **missed** | 1.000 |",
    );
    expect(lines).toContain(
      "- all sessions under all policies, minutes, missed: 1 min 30 s of CPU in 4 min 0 s.",
    );
    expect(lines.join("\n")).not.toContain("- peak memory");
  });

  it("judges no goals where the engine was not run", () => {
    expect(replaySection({ ...report, goals: [] }, about)).toContain(
      "The engine was not among the policies.",
    );
  });

  it("has one row for what stands under two names", () => {
    const both = { ...report, policies: [...report.policies, policy("engine", 0.5, 0.4, 0.9)] };
    expect(withOneName(both)).toEqual(report);
    const alone = { ...report, policies: [policy("engine", 0.5, 0.4, 0.9)] };
    expect(withOneName(alone)).toEqual(alone);
  });

  it("names no tool that others have made", () => {
    expect(replaySection(report, about)).toContain(
      "Fetched again for faithful: 4 blocks, 1,200 tokens; by source: Read 2, Edit input 1, others 1.",
    );
  });

  it("names sessions by short ids, and no place on the machine", () => {
    expect(replaySection(report, about)).toContain("- left out: 0a1b2c3d: … is odd");
    expect(shortName("cli-00-c9e2351016-2.jsonl.gz")).toBe("cli-00-c9e2351016-2");
    expect(withoutPaths("cannot read /tmp/a-b/c.ts:3, or src/x.ts, or 3/4")).toBe(
      "cannot read …:3, or src/x.ts, or 3/4",
    );
  });

  it("judges a headline by its goal", () => {
    const values = [
      { value: 1, atMost: 1 },
      { value: 1.1, atMost: 1 },
      { value: 0.9, atLeast: 1 },
      { value: 5 },
      { value: Number.NaN, atMost: 1 },
    ];
    expect(values.map(isMet)).toEqual([true, false, false, null, false]);
    expect(benchSection({ headlines: [{ what: "open", value: 12.3, unit: "ms", atMost: 20 }] })).toEqual([
      "| what | measured | goal |  |",
      "| --- | ---: | ---: | ---: |",
      "| open | 12 ms | ≤ 20 ms | met |",
    ]);
  });

  it("lists a part that failed with its reason beside those that ran", async () => {
    const parts = [
      { id: "good", title: "Good", kind: "bench", shown: "good", args: ["-p", "'{\"headlines\":[]}'"] },
      { id: "bad", title: "Bad", kind: "bench", shown: "bad", args: ["-e", "throw new Error('no luck')"] },
      { id: "mute", title: "Mute", kind: "bench", shown: "mute", args: ["-e", "0"] },
      { id: "gone", title: "Gone", kind: "bench", absent: "there is nothing" },
    ];
    const outcomes = await Promise.all(parts.map((part) => runPart(part)));
    expect(outcomes).toMatchObject([
      { ok: true, value: { headlines: [] } },
      { ok: false, reason: "exit 1: throw new Error('no luck')" },
      { ok: false, reason: "what it printed is no JSON" },
      { ok: false, reason: "there is nothing" },
    ]);
    const measured = { commit: "abc", day: "2026-01-01", isChanged: false };
    const options = ["--only", "good,bad"];
    const text = page({ parts, outcomes, measured, options, isQuick: false, tookMs: 1, pictures: [] });
    expect(text).toContain("Made by `npm run results -- --only good,bad`; do not edit.");
    expect(text).toContain("## Good\n\n`good` took ");
    expect(text).toMatch(
      /## Not run\n\n- bad: exit 1: .*\n- mute: what it printed is no JSON\n- gone: there is nothing\n$/,
    );
  });

  it("ends a part when it is stopped, and begins no other", async () => {
    const stopping = new AbortController();
    const args = ["-e", "setInterval(() => {}, 1000)"];
    const part = { id: "long", title: "Long", kind: "bench", shown: "long", args };
    const running = runPart(part, stopping.signal);
    stopping.abort();
    const reason = "stopped by the person who ran it";
    expect(await running).toMatchObject({ ok: false, reason });
    expect(await runPart(part, stopping.signal)).toEqual({ ok: false, reason });
  });

  it("draws each policy's sizes as a line from the first request to the last", () => {
    const svg = contextSvg([
      { policy: "identity", sizes: [0, 500] },
      { policy: "faithful", sizes: [0, 250] },
    ]);
    expect(svg).toContain('<polyline class="curve other" points="60.0,254.0 670.0,16.0"/>');
    expect(svg).toContain('<polyline class="curve best" points="60.0,254.0 670.0,135.0"/>');
  });

  it("names in words the policies that keep too little or cost too much to be drawn", () => {
    const policies = [...report.policies, policy("dear", 2, 2, 0.9), policy("drop-all", 0.1, 1, 0)];
    const svg = paretoPicture({ ...report, policies });
    expect(svg.match(/<title>[\w-]+/g)).toEqual(["<title>faithful", "<title>identity"]);
    expect(svg).toContain("not shown (cost, in view): dear 2.00, 0.90 · drop-all 0.10, 0.00");
  });

  it("puts the names of points that stand together beside each other", () => {
    const points = Array.from({ length: 8 }, (_, at) => ({ name: `policy-${at}`, x: 200 + at, y: 100 }));
    const placed = placeLabels(points, { left: 0, right: 700, top: 0, bottom: 400 });
    const near = placed.flatMap((one, at) =>
      placed
        .slice(at + 1)
        .filter(
          (other) => Math.abs(one.labelY - other.labelY) < 12 && Math.abs(one.labelX - other.labelX) < 50,
        ),
    );
    expect(near).toEqual([]);
  });
});
