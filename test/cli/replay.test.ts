import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { cliHome } from "../support/cli.ts";
import { claudeLine, jsonLines } from "../support/transcripts.ts";

const sample = fileURLToPath(
  new URL("../../packages/palimpsest/assets/sample-session.jsonl.gz", import.meta.url),
);
const few = ["--policies", "sliding-mask,engine,faithful,drop-all", "--prices", "0.1,catalog"];

/** Reads files, one a request, with the usage that such requests have. */
function transcript(rounds: number, name = "part", grownTokens = 800): string {
  const lines: unknown[] = [claudeLine.user("u", "Read everything.")];
  for (let at = 0; at < rounds; at += 1) {
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 30_000 + at * grownTokens,
    };
    const use = { type: "tool_use", id: `toolu_${at}`, name: "Read", input: { file_path: `/${name}${at}` } };
    const text = `const ${name}Value${at} = compute(${at});\n`.repeat(60);
    lines.push(
      claudeLine.assistant(`a${at}`, [use], { id: `msg_${at}`, model: "claude-opus-4-5", usage }),
      claudeLine.user(`r${at}`, [{ type: "tool_result", tool_use_id: `toolu_${at}`, content: text }]),
    );
  }
  return jsonLines(...lines);
}

describe("replay", () => {
  it("compares policies on the bundled session, the same to the byte with any number of threads", async () => {
    const { home, run } = await cliHome();
    await writeFile(join(home, "other.jsonl"), transcript(24));
    const one = await run(["replay", sample, "other.jsonl", ...few, "--json", "--jobs", "1"]);
    const two = await run(["replay", "other.jsonl", sample, ...few, "--json", "--jobs", "2"]);
    expect(one.stderr).toBe("");
    expect(one.code).toBe(0);
    expect(two.stdout).toBe(one.stdout);
    const report = JSON.parse(one.stdout);
    expect(report.policies.map(({ policy }: { policy: string }) => policy)).toEqual([
      "identity",
      "faithful",
      "engine",
      "sliding-mask",
      "drop-all",
    ]);
    const [, faithful, engine] = report.policies;
    expect(engine).toEqual({ ...faithful, policy: "engine" });
    for (const { cost } of report.bySession) expect(cost.catalog.engine).toBe(cost.catalog.faithful);
    expect(report.priceRows).toEqual(["0.1", "catalog"]);
  });

  it("writes the report as text, Markdown and one HTML page that asks nobody for anything", async () => {
    const { home, run } = await cliHome();
    await writeFile(join(home, "<b>hostile.jsonl"), transcript(24));
    await writeFile(join(home, "broken.jsonl"), "not a transcript\n");
    const files = ["<b>hostile.jsonl", "broken.jsonl"];
    const ended = await run(["replay", ...files, ...few, "--markdown", "r.md", "--html", "r.html"]);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toMatch(/n = 1 sessions measured \(24 requests\)/);
    expect(ended.stdout).toMatch(/unreadable: broken\.jsonl: .*looks like/);
    expect(ended.stdout).toMatch(/A necessary condition only/);
    const html = await readFile(join(home, "r.html"), "utf8");
    expect(html).toContain("<svg");
    expect(html).not.toMatch(/<script|src=|href=|url\(|<b>/);
    const markdown = await readFile(join(home, "r.md"), "utf8");
    expect(markdown).toContain("| policy | 0.1 |");
    expect(markdown).not.toContain("<b>");
  });

  it("names twins, and what no policy could be measured on", async () => {
    const { home, run } = await cliHome();
    await writeFile(join(home, "one.jsonl"), transcript(24));
    await writeFile(join(home, "two.jsonl"), transcript(24));
    await writeFile(join(home, "short.jsonl"), transcript(3, "other"));
    const { code, stdout } = await run(["replay", "one.jsonl", "two.jsonl", "short.jsonl", ...few]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/duplicate: two\.jsonl is one\.jsonl/);
    expect(stdout).toMatch(/left out: short\.jsonl: too few requests to compare \(3\)/);
    const nothing = await run(["replay", "short.jsonl", ...few]);
    expect(nothing).toMatchObject({ code: 1 });
    expect(nothing.stdout).toMatch(/No session could be measured/);
  });

  it("runs a policy of the user's own beside the others", async () => {
    const { home, run } = await cliHome();
    await writeFile(join(home, "one.jsonl"), transcript(24));
    await writeFile(
      join(home, "mine.js"),
      `export const policy = { name: "mine", createLayers: () => [] };\n`,
    );
    const own = ["--policies", "identity", "--policy", "./mine.js", "--json", "--prices", "0.1"];
    const { code, stdout } = await run(["replay", "one.jsonl", "one.jsonl", ...own]);
    expect(code).toBe(0);
    const [, mine] = JSON.parse(stdout).policies;
    expect(mine).toMatchObject({ policy: "mine", cost: { "0.1": { plain: { value: 1 } } } });
  });

  it("runs the policy of the guide", async () => {
    const { home, run } = await cliHome();
    const guide = await readFile(new URL("../../docs/guides/replay.md", import.meta.url), "utf8");
    const [, code = ""] = /```js\n(\/\/ mine\.js[\s\S]*?)```/.exec(guide) ?? [];
    await writeFile(join(home, "mine.js"), code);
    await writeFile(
      join(home, "one.jsonl"),
      transcript(24, "aLongNameThatMakesResultsLong".repeat(12), 7_000),
    );
    const own = ["--policies", "identity", "--policy", "./mine.js", "--json", "--prices", "0.1"];
    const { stdout, stderr } = await run(["replay", "one.jsonl", ...own]);
    expect(stderr).toBe("");
    const [whole, mine] = JSON.parse(stdout).policies;
    expect(mine.context.mean).toBeLessThan(whole.context.mean);
    expect(mine.invalid).toBe(0);
  });

  it("finds the sessions of this machine", async () => {
    const { home, run } = await cliHome();
    await mkdir(join(home, ".claude/projects/p"), { recursive: true });
    await writeFile(join(home, ".claude/projects/p/s.jsonl"), transcript(24));
    const { code, stdout } = await run(["replay", "--discover", ...few], { environment: { HOME: home } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/1 file, n = 1 sessions measured/);
  });

  it.each([
    [[], /nothing to replay/],
    [["x.jsonl", "--ttl", "2h"], /--ttl is “2h”/],
    [["x.jsonl", "--jobs", "0"], /--jobs is “0”/],
    [["x.jsonl", "--prices", "gratis"], /--prices: “gratis”/],
    [["x.jsonl", "--prices", "7"], /--prices: “7”/],
    [["x.jsonl", "--policies", "best"], /--policies: there is no “best”; there are identity,/],
    [["x.jsonl", "--policy", "./absent.js"], /--policy: .*absent\.js could not be loaded/],
    [["x.jsonl", "--policy", "./empty.mjs"], /has no export named “policy”/],
    [["x.jsonl", "--policy", "./half.mjs"], /without a function “createLayers”/],
    [["x.jsonl", "--policy", "./taken.mjs"], /there is a policy “engine” already/],
  ] as const)("refuses %j with what is right instead", async (args, reason) => {
    const { home, run } = await cliHome();
    await writeFile(join(home, "empty.mjs"), "export {};\n");
    await writeFile(join(home, "half.mjs"), `export const policy = { name: "half" };\n`);
    await writeFile(
      join(home, "taken.mjs"),
      `export const policy = { name: "engine", createLayers: () => [] };\n`,
    );
    const { code, stdout, stderr } = await run(["replay", ...args]);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(reason);
  });
});
