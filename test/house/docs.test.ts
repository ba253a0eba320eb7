import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { toolResultNumbers } from "../../packages/core/src/layers/1-tool-results/settings.ts";
import { microcompactNumbers } from "../../packages/core/src/layers/2-microcompact/settings.ts";
import { notesNumbers } from "../../packages/core/src/layers/3-session-notes/rules/index.ts";
import { foldingNumbers } from "../../packages/core/src/layers/4-compaction/folding/rules/index.ts";
import { minServerTriggerTokens } from "../../packages/core/src/layers/4-compaction/rules/decide-compaction.ts";
import { maxBrokenStreams } from "../../packages/core/src/layers/4-compaction/rules/summary-prompt.ts";
import { compactionNumbers } from "../../packages/core/src/layers/4-compaction/settings.ts";
import { relaxedFlushBytes, relaxedFlushMs } from "../../packages/core/src/log/append-queue.ts";
import { inlineLimitBytes } from "../../packages/core/src/log/large-values.ts";
import { memoryNumbers } from "../../packages/core/src/memory/memory-numbers.ts";
import { inlineHeadBytes } from "../../packages/core/src/session/head/store-head.ts";
import {
  defaultHookTimeoutMs,
  hookGraceMs,
  maxHookOutputBytes,
  maxHookTextChars,
} from "../../packages/core/src/session/hooks/index.ts";
import { defaultScaleBelowTokens } from "../../packages/core/src/settings/read-values.ts";
import { blobChunkBytes } from "../../packages/core/src/stores/postgres/blob-store.ts";
import { databaseDefaults } from "../../packages/core/src/stores/postgres/database.ts";
import { heartbeatMs, leasePatienceMs } from "../../packages/core/src/stores/shared/leases.ts";
import { maxLineBytes } from "../../packages/core/src/stores/shared/log.ts";
import { readerPatienceMs } from "../../packages/core/src/stores/shared/mailbox.ts";
import { eventCatalogue } from "../../scripts/docs/event-catalogue.mjs";
import { root } from "./source-files.ts";

/** Numbers of several layers have the same name: here theirs begins with the layer's. */
const named = (layer: string, numbers: object) =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [
      `${layer}${name[0]?.toUpperCase()}${name.slice(1)}`,
      value,
    ]),
  );

/** A number that a file keeps to itself. */
function numberIn(path: string, name: string): Readonly<Record<string, number>> {
  const [, value = ""] =
    new RegExp(`^const ${name} = ([\\d._]+);`, "m").exec(readFileSync(join(root, path), "utf8")) ?? [];
  return { [name]: value === "" ? Number.NaN : Number(value.replaceAll("_", "")) };
}

const constants: Readonly<Record<string, number>> = {
  ...toolResultNumbers,
  ...microcompactNumbers,
  ...notesNumbers,
  ...memoryNumbers,
  ...named("compaction", compactionNumbers),
  ...named("folding", foldingNumbers),
  ...named("database", databaseDefaults),
  ...numberIn("packages/core/src/layers/4-compaction/rules/budget.ts", "summaryShare"),
  ...numberIn("packages/core/src/layers/4-compaction/rules/budget.ts", "appendixShare"),
  ...numberIn("packages/core/src/layers/4-compaction/rules/budget.ts", "scribeTokens"),
  ...numberIn("packages/core/src/layers/4-compaction/rules/decide-compaction.ts", "newTokensRoomShare"),
  ...numberIn("packages/core/src/layers/4-compaction/rules/decide-snip.ts", "keptRounds"),
  scaleBelowTokens: defaultScaleBelowTokens,
  ...numberIn("packages/core/src/view/scribe/answer-pieces.ts", "maxNamed"),
  ...numberIn("packages/core/src/view/window/window.ts", "headRoomPercent"),
  ...numberIn("packages/core/src/layers/4-compaction/ask-plain.ts", "maxChunks"),
  blobChunkBytes,
  defaultHookTimeoutMs,
  heartbeatMs,
  hookGraceMs,
  inlineHeadBytes,
  inlineLimitBytes,
  leasePatienceMs,
  maxBrokenStreams,
  maxHookOutputBytes,
  maxHookTextChars,
  maxLineBytes,
  minServerTriggerTokens,
  readerPatienceMs,
  relaxedFlushBytes,
  relaxedFlushMs,
};

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
].map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

describe("documentation", () => {
  it("quotes the constants that the code has", () => {
    const quoted = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/<!-- constant (\w+) -->([^<]*)<!-- \/constant -->/g)].map(
        ([, name = "", value]) => ({
          place: `${path} ${name}`,
          value,
          actual: String(constants[name]),
        }),
      ),
    );
    expect(quoted.length).toBeGreaterThan(0);
    expect(quoted.filter(({ value, actual }) => value !== actual)).toEqual([]);
  });

  it("lists the events that the code has", () => {
    expect(readFileSync(join(root, "docs/events.md"), "utf8")).toBe(eventCatalogue());
    const types =
      readFileSync(join(root, "packages/core/src/spec/event.ts"), "utf8").match(/readonly type: "/g) ?? [];
    expect(eventCatalogue().match(/^\| `[a-z]+-[a-z]+` \|/gm)).toHaveLength(types.length);
  });

  it("links to files that exist", () => {
    const broken = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("names files of a package's source, by the end of their path, that exist", () => {
    const sources = ["core", "palimpsest", "testing"].flatMap((name) =>
      readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" }),
    );
    const named = pages
      .filter(({ path }) => !/^(?:CHANGELOG|docs\/decisions\/2026-11-1[0-8])/.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/`((?:[\w-]+\/)+[\w-]+\.ts)`/g)].map(([, file = ""]) => ({ path, file })),
      )
      .filter(({ file }) => !/^(?:packages|test|src|notes|lib|scripts|bench)\//.test(file));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ file }) => !sources.some((path) => `/${path}`.endsWith(`/${file}`)))).toEqual([]);
  });

  it("names tests and files that exist", () => {
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:packages|test|bench|scripts|docs)\/[\w./-]+\.\w+)`/g)].map(([, file = ""]) => ({
        path,
        file,
      })),
    );
    expect(named.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  });
});
