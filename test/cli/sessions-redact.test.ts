import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EntryDraft } from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { type CliHome, cliHome, linesOf, userSays } from "../support/cli.ts";

const secret = "sk-live-0123456789abcdef";

const drafts: readonly EntryDraft[] = [
  userSays("nothing here"),
  userSays(`the key is ${secret}`),
  {
    kind: "message",
    message: {
      type: "assistant",
      content: [
        { type: "thinking", thinking: `remember ${secret}`, signature: "s" },
        { type: "tool_use", id: "t1", name: "Bash", input: { [secret]: `curl -H ${secret}` } },
      ],
    },
  },
  {
    kind: "message",
    message: {
      type: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: `${"log\n".repeat(20_000)}${secret}` }],
    },
  },
];

/** Every file under a folder, by path, as text that keeps every byte. */
async function allFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path, await readFile(path, "latin1"));
  }
  return found;
}

async function holdersOf(text: string, { home }: CliHome): Promise<readonly string[]> {
  return [...(await allFiles(home))].filter(([, content]) => content.includes(text)).map(([path]) => path);
}

async function homeWithSecret(): Promise<CliHome & { readonly path: string; readonly outside: string }> {
  const home = await cliHome();
  const path = await home.add("one", drafts);
  for (const sha256 of must(await home.store.blobs.list("one")))
    must(await home.store.blobs.name("one", sha256, "t1"));
  const lines = await linesOf(path);
  await writeFile(path, `${[lines[0], `damaged ${secret}`, ...lines.slice(1)].join("\n")}{"torn ${secret}`);
  await home.add("one/agent", [userSays(`an agent knows ${secret} too`)]);
  await home.add("innocent", [userSays("knows nothing")]);
  const outside = join(home.home, "key.txt");
  await writeFile(outside, `${secret}\n`);
  return { ...home, path, outside };
}

describe("sessions redact", () => {
  it("leaves the secret in no file of the session, and everything else as it was", async () => {
    const home = await homeWithSecret();
    const innocent = must(home.store.layout.log("innocent"));
    const before = await readFile(innocent, "utf8");
    const { code, stdout, stderr } = await home.run([
      "sessions",
      "redact",
      "one",
      "--secret-file",
      "key.txt",
      "--yes",
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/Taken out of one\/agent 1 time: 1 entry\./);
    expect(stdout).toMatch(
      /Taken out of one 5 times: 3 entries, 1 stored result, 1 tool-result file, damaged lines of the log\./,
    );
    expect(stdout).toContain("removed whole: 1 thinking block");
    for (const kind of ["torn", "corrupt"]) expect(stdout).toContain(`deleted: ${home.path}.${kind}`);
    expect(stdout).toContain(`It is still in 1 other file of the data root:\n  ${home.outside}\n`);
    expect(await holdersOf(secret, home)).toEqual([home.outside]);
    expect(await readFile(innocent, "utf8")).toBe(before);

    const shown = JSON.parse((await home.run(["sessions", "export", "one", "--format", "messages"])).stdout);
    expect(shown).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "nothing here" },
          { type: "text", text: "the key is [REDACTED]" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "t1", name: "Bash", input: { "[REDACTED]": "curl -H [REDACTED]" } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: `${"log\n".repeat(20_000)}[REDACTED]` }],
      },
    ]);
    const record = JSON.parse(await readFile(home.path.replace(/\.jsonl$/, ".redacted.json"), "utf8"));
    expect(record).toMatchObject({
      session: "one",
      redactions: [{ occurrences: 5, droppedBlocks: 1, finished: true }],
    });
    const again = await home.run(["sessions", "redact", "one", "--secret-file", "key.txt", "--yes"]);
    expect(again.stdout).toMatch(/^The secret is nowhere in one\.\n/);
  });

  it("takes the secret from standard input, and what stands in its place as it is given", async () => {
    const home = await homeWithSecret();
    const args = [
      "sessions",
      "redact",
      "one",
      "--secret-file",
      "-",
      "--replacement",
      "(gone)",
      "--yes",
      "--json",
    ];
    const { code, stdout } = await home.run(args, { input: secret });
    expect(code).toBe(0);
    const told = JSON.parse(stdout);
    expect(Object.keys(told)).toEqual(["session", "dryRun", "redacted", "sessions", "elsewhere"]);
    expect(told).toMatchObject({ session: "one", redacted: true, elsewhere: [home.outside] });
    expect(told.sessions.map(({ session }: { session: string }) => session)).toEqual(["one/agent", "one"]);
    expect(await readFile(home.path, "utf8")).toContain("the key is (gone)");
  });

  it("changes nothing when it is only asked to look", async () => {
    const home = await homeWithSecret();
    const before = await allFiles(home.home);
    const { code, stdout } = await home.run([
      "sessions",
      "redact",
      "one",
      "--secret-file",
      "key.txt",
      "--dry-run",
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Found in one 5 times: 3 entries, 1 stored result/);
    expect(stdout).toContain("would be removed whole: 1 thinking block");
    expect(await allFiles(home.home)).toEqual(before);
  });

  it("never shows the secret, and refuses what it cannot do safely", async () => {
    const home = await homeWithSecret();
    await writeFile(join(home.home, "short"), "abc1234\n");
    await writeFile(join(home.home, "word"), "tool_result\n");
    await writeFile(join(home.home, "bytes"), Buffer.of(0xff, 0xfe, 0x00));
    await writeFile(join(home.home, "nothing"), "");
    const before = await allFiles(home.home);
    const redact = ["sessions", "redact", "one"];
    const cases = [
      [redact, 2, /there is no terminal to ask on, so --yes is needed/],
      [[...redact, "--yes"], 2, /there is no terminal to ask for the secret; use: .*--secret-file FILE/],
      [
        [...redact, "--secret-file", "-"],
        2,
        /standard input, so there is no terminal to ask on; use: .*--yes/,
      ],
      [[...redact, "--secret-file", "short", "--yes"], 1, /fewer than 8 characters/],
      [[...redact, "--secret-file", "word", "--yes"], 1, /a word that every log is made of/],
      [[...redact, "--secret-file", "bytes", "--yes"], 1, /is not UTF-8 text/],
      [[...redact, "--secret-file", "nothing", "--yes"], 1, /fewer than 8 characters/],
      [[...redact, "--secret-file", "missing", "--yes"], 1, /it does not exist/],
      [[...redact, "--secret-file", home.home, "--yes"], 1, /it is a folder/],
      [
        [...redact, "--secret-file", "key.txt", "--replacement", `x${secret}`, "--yes"],
        1,
        /replacement contains the secret/,
      ],
      [
        ["sessions", "redact", "other", "--secret-file", "key.txt", "--yes"],
        1,
        /There is no session “other”/,
      ],
    ] as const;
    const ends = await Promise.all(cases.map(([args]) => home.run(args, { input: secret })));
    for (const [index, { code, stdout, stderr }] of ends.entries()) {
      const [, expected, reason] = cases[index] ?? [];
      expect({ code, stdout }, stderr).toEqual({ code: expected, stdout: "" });
      expect(stderr).toMatch(reason ?? "");
      expect(stderr).not.toContain(secret);
    }
    expect(await allFiles(home.home)).toEqual(before);
  });

  it("leaves a session alone that another process has open", async () => {
    const home = await homeWithSecret();
    const writer = must(await home.store.logs.open("one", () => undefined));
    const { code, stderr } = await home.run([
      "sessions",
      "redact",
      "one",
      "--secret-file",
      "key.txt",
      "--yes",
    ]);
    must(await writer.close());
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: Session one is open in process/);
    expect(await readFile(home.path, "utf8")).toContain(secret);
  });
});
