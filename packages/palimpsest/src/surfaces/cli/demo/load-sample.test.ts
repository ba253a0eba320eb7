import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { loadSample, sampleFile } from "./load-sample.ts";
import { toScenes } from "./scenes.ts";

const { signal } = new AbortController();
const fix = expect.stringContaining("npm run sample");

async function fileOf(bytes: Uint8Array): Promise<string> {
  const file = join(await temporaryFolder(), "session.jsonl.gz");
  await writeFile(file, bytes);
  return file;
}

describe("the bundled session", () => {
  it("is read whole, as a story and as requests with what the user said", async () => {
    const loaded = await loadSample(sampleFile, signal);
    if (!loaded.ok) throw loaded.error;
    const { story, session } = loaded.value;
    const scenes = toScenes(session);
    expect(scenes).toHaveLength(story.requests - story.cutOff);
    expect(scenes.flatMap(({ prompts }) => prompts)).toEqual(story.turns.map(({ prompt }) => prompt));
    expect(scenes.flatMap(({ calls }) => calls).length).toBeGreaterThan(500);
  });

  it("is missed with what to do about it", async () => {
    const file = join(await temporaryFolder(), "absent.jsonl.gz");
    expect(await loadSample(file, signal)).toMatchObject({ ok: false, error: { code: "not-found", fix } });
  });

  it.each([
    ["empty", new Uint8Array()],
    ["an empty gzip", gzipSync("")],
    ["no log", Buffer.from("nothing of the kind\n")],
    ["of other lines", gzipSync(`${gunzipSync(readFileSync(sampleFile))}and more\n`)],
    ["cut off", readFileSync(sampleFile).subarray(0, 40_000)],
    ["damaged", Buffer.concat([readFileSync(sampleFile).subarray(0, 40_000), Buffer.alloc(5_000, 7)])],
  ])("is refused with what to do about it when it is %s", async (_name, bytes) => {
    const loaded = await loadSample(await fileOf(bytes), signal);
    expect(loaded).toMatchObject({ ok: false, error: { code: "corrupt", fix } });
  });

  it("is not read any further once the person has stopped it", async () => {
    expect(await loadSample(sampleFile, AbortSignal.abort())).toMatchObject({ error: { code: "aborted" } });
  });
});
