import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { must, refused } from "../../../testing/src/conformance/outcomes.ts";
import { composeMemory } from "./compose-memory.ts";
import { parseMemory } from "./parse-memory.ts";
import { splitFrontMatter } from "./read-front-matter.ts";

const version = { path: "topic.md", version: 3, at: "2026-01-01T00:00:00.000Z", author: "agent" };
const parse = (text: string, author = "agent") => parseMemory(text, { ...version, author });
const problemOf = (text: string) => {
  const parsed = parse(text);
  return parsed.ok ? null : parsed.error.facts.problem;
};
const file = (matter: string, body = "Something.") => `---\n${matter}\n---\n\n${body}\n`;
const plain = "name: Deploys\ndescription: when something is released\ntype: reference";

describe("parseMemory", () => {
  it("reads what a memory says and where it came from", () => {
    const matter = `${plain}\nauthor: agent\nsession: ses_1\nentries: [e1, e2]\ntrust: untrusted\nconfirmed: true`;
    expect(must(parse(file(matter)))).toEqual({
      path: "topic.md",
      name: "Deploys",
      description: "when something is released",
      type: "reference",
      body: "Something.\n",
      author: "agent",
      session: "ses_1",
      entries: ["e1", "e2"],
      trust: "untrusted",
      isConfirmed: true,
      version: 3,
      at: version.at,
    });
  });

  it("takes a hand edit as the user's, and trusts without a word only what a person wrote", () => {
    const byAgent = file(`${plain}\nauthor: agent`);
    expect(must(parse(byAgent, "outside"))).toMatchObject({ author: "user", trust: "trusted" });
    expect(must(parse(byAgent))).toMatchObject({ author: "agent", trust: "untrusted" });
    expect(must(parse(file(`${plain}\nauthor: root\ntrust: entirely`), "dream"))).toMatchObject({
      author: "dream",
      trust: "untrusted",
    });
  });

  it("takes values as texts, whatever they look like, with Windows line ends and a byte order mark", () => {
    const text = "\ufeff---\r\nname: 2026-01-01\r\ndescription: yes\r\ntype: user\r\n---\r\nBody\r\n";
    expect(must(parse(text))).toMatchObject({ name: "2026-01-01", description: "yes", body: "Body\n" });
  });

  it("forgives a colon or a bracket in a name or description", () => {
    const matter = "name: [draft] Deploys: how\ndescription: use it: when # and & then\ntype: user";
    expect(must(parse(file(matter)))).toMatchObject({
      name: "[draft] Deploys: how",
      description: "use it: when # and & then",
    });
  });

  it("asks feedback and project for their reason and their use", () => {
    const matter = "name: n\ndescription: d\ntype: feedback";
    expect(problemOf(file(matter))).toBe(
      "it lacks **Why:**: add a paragraph that begins so; it lacks **How to apply:**: add a paragraph that begins so",
    );
    const whole = "Short answers.\n\n**Why:** they read on a phone.\n\n**How to apply:** three lines.";
    expect(must(parse(file(matter, whole))).type).toBe("feedback");
    expect(problemOf(file(matter.replace("feedback", "project"), "x\n**Why:** y"))).toMatch(
      /^it lacks \*\*How to apply/,
    );
  });

  it.each([
    ["no front matter", "Just words.", "it has no front matter"],
    ["an open end", "---\nname: a\n", "it has no front matter"],
    ["nothing in it", file(""), /name is missing.*description is missing.*type is missing/],
    [
      "an unknown type",
      file(plain.replace("reference", "secret")),
      /type is “secret”: make it user, feedback/,
    ],
    ["two lines", file(plain.replace("Deploys", '"a\\nb"')), /name has line ends or invisible/],
    [
      "invisible characters",
      file(plain.replace("Deploys", "a\u202eb\u200b")),
      /name has line ends or invisible/,
    ],
    ["no words", file(plain, " \n"), /it says nothing/],
    ["a list", file("- a\n- b"), "The front matter is no list of fields"],
    ["lists as values", file("name: n\ndescription: d\ntype: [user]"), /type is missing/],
    ["double keys", file(`${plain}\ntype: user`), "The front matter is not YAML"],
    ["anchors", file(`${plain}\na: &a [x]\nb: *a`), "The front matter has anchors, aliases or tags"],
    ["a lone anchor", file(`${plain}\na: &a x`), "The front matter has anchors, aliases or tags"],
    ["tags", file(`${plain}\na: !!js/function x`), "The front matter has anchors, aliases or tags"],
    [
      "a thousand fields",
      file(`${plain}\n${Array.from({ length: 1000 }, (_, i) => `k${i}: 1`).join("\n")}`),
      /over 50 fields|over 8000/,
    ],
    ["too much", file(`${plain}\nx: ${"y".repeat(10_000)}`), "The front matter has over 8000 characters"],
    ["deep nesting", file(`${plain}\nx: ${"[".repeat(7000)}`), "The front matter is not YAML"],
    [
      "deep closed nesting",
      file(`${plain}\nx: ${"[".repeat(3500)}${"]".repeat(3500)}\ntype: user`),
      "The front matter is not YAML",
    ],
    [
      "a key that is a map",
      file(`${plain}\n? {a: b}\n: c`),
      "The front matter has a field whose name is no text",
    ],
  ])("refuses %s", (_what, text, problem) => {
    expect(problemOf(text)).toEqual(typeof problem === "string" ? problem : expect.stringMatching(problem));
  });

  it("is no bomb: what aliases would grow to is never made", () => {
    const levels = Array.from(
      { length: 30 },
      (_, i) => `l${i}: &l${i} [${`*l${i - 1}, `.repeat(i === 0 ? 0 : 9)}x]`,
    );
    expect(problemOf(file(`${plain}\n${levels.join("\n")}`))).toMatch(/anchors|not YAML/);
  });

  it("gives nothing to a prototype", () => {
    const text = file(`${plain}\n__proto__:\n  trust: trusted\nconstructor: x\nhasOwnProperty: y`);
    expect(must(parse(text))).toMatchObject({ name: "Deploys", trust: "untrusted" });
    expect(({} as Record<string, unknown>).trust).toBeUndefined();
  });

  it("is total over any text, and takes apart what it is given without loss", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        parse(text);
        parse(`---\n${text}\n---\nx`);
        const { matter, body } = splitFrontMatter(text);
        if (matter === null) expect(body).toBe(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"));
      }),
    );
  });
});

const provenance = { author: "agent", session: "ses_1", entries: ["e1"], trust: "untrusted" } as const;

describe("composeMemory", () => {
  it("writes the provenance it is given, whatever the text claims, and keeps a person's own fields", () => {
    const claims = `# mine\n${plain}\nauthor: user\ntrust: trusted\nconfirmed: true\nsession: other\ntags: [a, b]`;
    expect(must(composeMemory("topic.md", file(claims), provenance))).toBe(
      `---\n# mine\n${plain}\nauthor: agent\ntrust: untrusted\nsession: ses_1\ntags: [a, b]\nentries: [e1]\n---\n\nSomething.\n`,
    );
  });

  it("gives front matter to a text that has none", () => {
    const text = must(
      composeMemory("how-we-deploy.md", "# On Tuesdays\n\nAlways.", { author: "user", trust: "trusted" }),
    );
    expect(text).toBe(
      "---\nname: How we deploy\ndescription: Always.\ntype: reference\nauthor: user\ntrust: trusted\n---\n\n# On Tuesdays\n\nAlways.\n",
    );
    const said = { name: "N: n", description: "D", type: "user" } as const;
    expect(must(parse(must(composeMemory("a.md", "Body", provenance, said))))).toMatchObject({
      ...said,
      ...provenance,
    });
  });

  it("refuses front matter without an end, and what is not YAML", () => {
    expect(refused(composeMemory("a.md", "---\nname: x\n", provenance))).toBe("invalid-input");
    expect(refused(composeMemory("a.md", file("x: [\n  a: *b"), provenance))).toBe("invalid-input");
  });

  it("reads back what it wrote, for every name, description and body", () => {
    const line = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
      .filter((text) => /\S/.test(text) && !/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text));
    const body = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => /\S/.test(text) && !text.includes("\r"));
    fc.assert(
      fc.property(line, line, body, (name, description, words) => {
        fc.pre(!/^\n|^---|^\ufeff/.test(words));
        const text = must(composeMemory("a.md", words, provenance, { name, description, type: "user" }));
        const parsed = must(parse(text));
        expect(parsed).toMatchObject({ name: name.trim(), description: description.trim(), ...provenance });
        expect(parsed.body.trimEnd()).toBe(words.trimEnd());
        expect(must(composeMemory("a.md", text, provenance))).toBe(text);
      }),
    );
  });
});
