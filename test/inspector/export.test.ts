import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInspect } from "../../packages/palimpsest/src/surfaces/cli/inspect/inspect-command.ts";
import { inlinePage } from "../../packages/palimpsest/src/surfaces/inspector/export/export-session.ts";
import type { InspectedFile } from "../../packages/palimpsest/src/surfaces/inspector/inspected.ts";
import { silentTerminal } from "../../packages/palimpsest/src/surfaces/local/terminal.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { cliHome, runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { answers, calls, decides, resultOf, says, text, used } from "./support/drafts.ts";
import { madeUpPage } from "./support/served.ts";

const hostile =
  "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> \u2028 \u001b[31m $& $1 ]]>";

const contentOf = (html: string): InspectedFile =>
  JSON.parse(/<script type="application\/json" id="inspected">([^<]*)<\/script>/.exec(html)?.[1] ?? "null");

async function exported() {
  const home = await cliHome();
  await home.add("one", [
    says(hostile),
    answers("r1", [calls("t1", "Read", { file_path: hostile })], { usage: used(0, 800) }),
    resultOf("t1", hostile),
    decides({
      layer: "test",
      reason: hostile,
      frees: 5,
      basis: 4,
      type: "clear",
      parts: [{ toolUseId: "t1", part: "result", label: "[cleared]" }],
    }),
    answers("r2", [text(hostile)], { usage: used(800, 10) }),
  ]);
  const context = { terminal: silentTerminal(), home: home.home, folder: home.home, now: () => 0 };
  await runInspect(context, "one", { port: 0, out: "report.html", pageFolder: await madeUpPage() });
  return { home, path: join(home.home, "report.html") };
}

describe("an exported session", () => {
  it("is one file that holds everything, in which hostile text is text", async () => {
    const { path } = await exported();
    const html = await readFile(path, "utf8");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.match(/<\/script/g)).toHaveLength(2);
    expect(html).not.toMatch(/<!--|<img|<[a-z]+ [^>]*(?:src|href)=/);
    expect(html).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:;`,
    );
    expect(html).toContain('const close = "<\\/script><\\!--";');
    expect(html).toContain("<style>body { margin: 0 }\n</style>");
    const { entry, session, texts, whatIfs, policies, memories } = contentOf(html);
    expect([entry.id, session.requests.at.length, whatIfs, policies, memories]).toEqual([
      "one",
      2,
      [],
      [],
      [],
    ]);
    expect(texts).toHaveLength(session.items.length);
    const cleared = session.items.findIndex(({ state }) => state === "cleared");
    expect(texts[cleared]).toEqual({ shown: "[cleared]", original: hostile });
    expect(session.items.every(({ title }) => !/[\p{Cc}\p{Zl}]/u.test(title))).toBe(true);
  });

  it("is refused where the page does not load what it should", () => {
    const page = { script: "", style: "", content: {} };
    expect(inlinePage({ ...page, html: "<html><head></head><body></body></html>" })).toMatchObject({
      ok: false,
      error: { code: "corrupt" },
    });
  });

  it("runs its script as the kind that it is, behind the body's own content", () => {
    const html =
      '<html><head><meta http-equiv="Content-Security-Policy" content="x"><link href="./app.css" rel="stylesheet"><script src="./app.js" defer></script></head><body><p>a</p></body></html>';
    const page = must(inlinePage({ html, script: "run();", style: "p {}", content: { a: "<" } }));
    expect(page).toBe(
      `<html><head>\n<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"><style>p {}</style></head><body><p>a</p><script type="application/json" id="inspected">{"a":"\\u003c"}</script>\n<script>run();</script>\n</body></html>`,
    );
  });
});

describe("palimpsest inspect", () => {
  it("says what is wrong with what it was asked for, and how it is right", async () => {
    const home = await cliHome();
    await home.add("one", [says("hello"), answers("r1", [text("hi")])]);
    const context = { terminal: silentTerminal(), home: home.home, folder: home.home, now: () => 0 };
    const ask = (named: string | undefined, options: object) =>
      runInspect(context, named, { port: 0, ...options }).catch((error: Error) => error.message);
    const wrong = [
      [await ask("nothing-like-it", {}), /There is no file .*nothing-like-it, and no session/],
      [await ask("-", {}), /standard input cannot be looked into; use: palimpsest inspect FILE/],
      [await ask(undefined, { out: "a.html" }), /--out needs one session; use: palimpsest inspect SESSION/],
      [await ask("one", { whatIf: "engine" }), /--what-if goes with --out/],
      [
        await ask("one", { out: "a.html", whatIf: "magic" }),
        /there is no “magic”; there are identity, faithful, thrifty, recorded/,
      ],
      [await ask(await temporaryFolder(), {}), /There are no sessions in/],
    ] as const;
    for (const [said, expected] of wrong) expect(said).toMatch(expected);
    const end = await home.run(["inspect", "--port", "70000"]);
    expect([end.code, end.stderr]).toEqual([2, expect.stringContaining("whole number from 0 to 65535")]);
  });

  it("has help with examples that fits into 80 columns", async () => {
    const { code, stdout } = await runCli(["inspect", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Usage: palimpsest inspect \[session\|file\|folder\] \[options\][\s\S]*Examples:/);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
