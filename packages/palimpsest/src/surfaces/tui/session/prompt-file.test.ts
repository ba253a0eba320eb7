import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { createRuntime } from "../../../../../core/src/runtime.ts";
import {
  createFileMaskKey,
  createKeyedMask,
} from "../../../../../core/src/session/memory/create-memory-mask.ts";
import { createNodeDisk } from "../../../../../core/src/stores/files/index.ts";
import { createPromptFile } from "./chat-environment.ts";

/** As the terminal agent opens it, each time anew. */
function openPrompts(home: string) {
  const disk = createNodeDisk();
  const { ids } = createRuntime();
  const mask = createKeyedMask(createFileMaskKey({ disk, path: join(home, "mask-key"), ids }));
  return createPromptFile(join(home, "prompts.jsonl"), mask);
}

describe("the prompts that are kept", () => {
  it("come back in a later session, for the user alone", async () => {
    const home = await temporaryFolder();
    await openPrompts(home).add("first\nof two lines");
    await openPrompts(home).add("second");
    expect(await openPrompts(home).read()).toEqual(["first\nof two lines", "second"]);
    expect((await stat(join(home, "prompts.jsonl"))).mode & 0o777).toBe(0o600);
  });

  it("have no secrets in them; the same secret has the same mask in every session", async () => {
    const home = await temporaryFolder();
    const secret = `sk-ant-api03-${"aB3dE5gH7jK9".repeat(8)}`;
    await openPrompts(home).add(`use ${secret}`);
    await openPrompts(home).add(`use ${secret}`);
    const [first, second] = await openPrompts(home).read();
    expect(first).toBe(second);
    expect(first).toMatch(/^use \S/);
    expect(await readFile(join(home, "prompts.jsonl"), "utf8")).not.toContain(secret);
  });
});
