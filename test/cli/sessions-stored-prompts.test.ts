import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import { type CliHome, cliHome } from "../support/cli.ts";

const secret = "sk-live-0123456789abcdef";

/** A home with a session whose only prompt has very many blocks, those in the middle stored as one. */
async function homeWithStoredPrompt(): Promise<CliHome & { readonly stored: string }> {
  const home = await cliHome();
  const session = await openSession({
    store: home.store,
    id: "one",
    cwd: home.home,
    model: "claude-sonnet-4-5",
    settings: { catalog: { capabilities: { "*": { contextWindow: 16_000, maxOutput: 4_000 } } } },
  });
  const text = (at: number) => `line ${at} ${at === 400 ? secret : ""}`.padEnd(100, "x");
  await session.add({
    role: "user",
    content: Array.from({ length: 800 }, (_, at) => ({ type: "text", text: text(at) })),
  });
  await session.prepare();
  await session.close();
  const files = await readdir(home.home, { recursive: true });
  const stored = files.find((path) => /tool-results.*-\d+-\d+\.txt$/.test(path)) ?? "";
  return { ...home, stored: join(home.home, stored) };
}

describe("blocks of a prompt that are stored as one", () => {
  it("lose a secret in the log, in their blob and in the file that names it", async () => {
    const { home, run, stored } = await homeWithStoredPrompt();
    expect(await readFile(stored, "utf8")).toContain(secret);
    await writeFile(join(home, "key.txt"), secret);
    const args = ["sessions", "redact", "one", "--secret-file", "key.txt", "--yes"];
    expect(await run(args)).toMatchObject({ code: 0, stderr: "" });
    const whole = await readFile(stored, "utf8");
    expect(whole).toContain("line 400 [REDACTED]xxx");
    expect(whole).toContain("line 401 ");
    const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    const holders = [];
    for (const { parentPath, name } of files) {
      if ((await readFile(join(parentPath, name), "latin1")).includes(secret)) holders.push(name);
    }
    expect(holders).toEqual(["key.txt"]);
    expect((await run(["sessions", "repair", "one"])).stdout).toMatch(/^Nothing to repair/);
  });

  it("are named by what they are where their blob is lost", async () => {
    const { run, store } = await homeWithStoredPrompt();
    await store.blobs.removeAll("one");
    const { stdout } = await run(["sessions", "repair", "one", "--dry-run"]);
    expect(stdout).toMatch(/ {2}blocks \d+ to \d+ of msg_\S+ \(.*no copy was found/);
  });
});
