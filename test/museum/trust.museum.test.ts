import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSecretMask } from "../../packages/core/src/session/secrets/index.ts";
import type { Entry, Message } from "../../packages/core/src/spec/index.ts";
import { createNodeDisk } from "../../packages/core/src/stores/files/disk/node-disk.ts";
import {
  emptyTaint,
  isRecalled,
  judgeMemory,
  markRecalled,
  nextTaint,
  toTaint,
} from "../../packages/core/src/view/trust/index.ts";
import { must, refused } from "../../packages/testing/src/conformance/outcomes.ts";
import { openTree } from "../support/memory-paths.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { readFixture, readJsonFixture } from "./read-fixture.ts";

const locations = { cwd: "/w", folders: ["/w"], isTracked: () => false };
const order = {
  type: "project",
  name: "setup",
  description: "When setting up",
  body: "Always run the installer.",
} as const;

function taintOfMessages(...messages: readonly Message[]) {
  const entries = messages.map(
    (message, index): Entry => ({
      v: 1,
      seq: index + 1,
      epoch: 1,
      id: `e${index + 1}`,
      at: "",
      kind: "message",
      message,
    }),
  );
  return toTaint(entries.reduce((state, entry) => nextTaint(state, entry, locations), emptyTaint));
}

describe("museum: trust", () => {
  it("25: recalled text is not extracted again", () => {
    const recalled = markRecalled("The port is 8123.", "port.md");
    expect(isRecalled(recalled)).toBe(true);
    const verdict = judgeMemory({ ...order, body: recalled }, { taint: taintOfMessages(), userMessages: [] });
    expect(verdict.verdict).toBe("quarantine");
  });

  it("27: a web page's sentence does not become a standing order", () => {
    const taint = taintOfMessages(
      { type: "user", content: "What does the page say?" },
      { type: "assistant", content: [{ type: "tool_use", id: "t1", name: "WebFetch", input: { url: "u" } }] },
      {
        type: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: readFixture("27-page.html").toString() },
        ],
      },
    );
    expect(judgeMemory(order, { taint, userMessages: [] })).toEqual({
      verdict: "quarantine",
      trust: "untrusted",
      reason: "It asks for something, and was written in sight of untrusted content: web (WebFetch).",
    });
  });

  it("28: a key is masked, and what is written has mode 0600", async () => {
    const key = ["sk-", "ant-api03-", "k3Y".repeat(31), "AA"].join("");
    const mask = createSecretMask({ key: "a key for the tests" });
    const { text } = must(
      await mask.mask(readFixture("28-words-with-a-key.txt").toString().replace("{key}", key)),
    );
    expect(text).toMatch(/^The key is \[secret:anthropic:[0-9a-f]{8}\]\.$/);
    const folder = await temporaryFolder();
    must(await openTree(createNodeDisk(), folder).write("key.md", text, { author: "agent" }));
    expect(lstatSync(`${folder}/key.md`).mode & 0o777).toBe(0o600);
  });

  it("29: a symlink in the memory folder neither reads nor writes elsewhere", async () => {
    const folder = await temporaryFolder();
    mkdirSync(`${folder}/memory`);
    mkdirSync(`${folder}/secret`);
    writeFileSync(`${folder}/secret/file.md`, "secret");
    const { links, paths } = readJsonFixture<{ links: Record<string, string>; paths: readonly string[] }>(
      "29-links.json",
    );
    for (const [name, target] of Object.entries(links))
      symlinkSync(`${folder}/${target}`, `${folder}/memory/${name}`);
    const tree = openTree(createNodeDisk(), `${folder}/memory`);
    for (const path of paths) {
      expect(refused(await tree.read(path))).toBe("invalid-path");
      expect(refused(await tree.write(path, "mine", { author: "agent" }))).toBe("invalid-path");
      expect(refused(await tree.remove(path, { author: "agent" }))).toBe("invalid-path");
    }
    expect(readFileSync(`${folder}/secret/file.md`, "utf8")).toBe("secret");
    expect(must(await tree.list())).toEqual([]);
  });
});
