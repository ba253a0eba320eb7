import { describe, expect, it } from "vitest";
import { checkRules, parseRule } from "./parse-rule.ts";

describe("parseRule", () => {
  it.each([
    "Bash",
    "Bash(*)",
    "Bash(npm test)",
    "Bash(git status:*)",
    "Bash(npm run test:unit:*)",
    "Bash(ls \\*.md)",
    "Edit(src/**)",
    "Edit(./src/)",
    "Edit(app/(shop)/[id]/page.tsx)",
    "Read(//etc/hosts)",
    "Read(~/notes/*.md)",
    "WebFetch(domain:example.org)",
    "WebFetch(domain:*.example.org)",
    "WebFetch(domain:BÜCHER.example)",
    "WebFetch(domain:[::1])",
    "mcp__files__*",
    "mcp__*",
    "mcp__files__read_file",
    "mcp__files__read_file(docs/**)",
    "mcp__web__get(domain:example.org)",
  ])("reads %s", (text) => {
    expect(parseRule(text)).toMatchObject({ ok: true, value: { text } });
  });

  it.each([
    ["", "it does not begin with the name of a tool", "Bash(git status:*)"],
    ["Bash(git status", "the parenthesis is not closed", "Bash(git status)"],
    ["Bash()", "there is nothing between the parentheses", "Bash"],
    ["git status", "it does not begin with the name of a tool", "Bash(git status:*)"],
    ["Ba sh(x)", "it does not begin with the name of a tool", "Bash(git status:*)"],
    ["*", "only tools of MCP servers are named by a star, at the end", "mcp__server__*"],
    ["Ed*", "only tools of MCP servers are named by a star, at the end", "mcp__server__*"],
    ["mcp__files", "a server is no tool", "mcp__files__*"],
    ["Bash(:*)", "a beginning is made of plain words of one command", "Bash(git status:*)"],
    ["Bash(npm run *)", "a star stands only behind a colon at the end", "Bash(npm run:*)"],
    ["Bash(git add && git:*)", "a beginning is made of plain words of one command", "Bash(git add:*)"],
    ["Bash($SHELL:*)", "a beginning is made of plain words of one command", "Bash(git status:*)"],
    ["Read(/etc/hosts)", "a path that begins with one slash could mean two places", "Read(//etc/hosts)"],
    ["Read(///etc)", "a path that begins with one slash could mean two places", "Read(//etc)"],
    ["Edit(../other/**)", "it has a part that is . or .. or NUL", "Edit(//the/whole/path)"],
    ["Edit(src/{a,b)", "a brace is open, or braces make too many choices", "Edit(src/{a,b}/**)"],
    [`Edit(${"{a,b}".repeat(12)})`, "a brace is open, or braces make too many choices", "Edit(src/{a,b}/**)"],
    ["WebFetch(example.org)", "a URL is matched by its host", "WebFetch(domain:example.org)"],
    ["WebFetch(https://example.org/a)", "a URL is matched by its host", "WebFetch(domain:example.org)"],
    ["WebFetch(domain:example.org/a)", "a URL is matched by its host", "WebFetch(domain:example.org)"],
    ["WebFetch(domain:user@example.org)", "a URL is matched by its host", "WebFetch(domain:example.org)"],
    ["WebFetch(domain:*example.org)", "a URL is matched by its host", "WebFetch(domain:example.org)"],
    ["WebFetch(domain:)", "a URL is matched by its host", "WebFetch(domain:example.org)"],
  ])("refuses %j and says what to write", (rule, problem, instead) => {
    expect(parseRule(rule)).toMatchObject({
      ok: false,
      error: {
        code: "invalid-input",
        message: `${JSON.stringify(rule)} is not a permission rule: ${problem}.`,
        fix: `Write it like ${JSON.stringify(instead)}.`,
        facts: { rule, problem, instead },
      },
    });
    expect(parseRule(instead)).toMatchObject({ ok: true });
  });

  it("checks all lists at once", () => {
    expect(checkRules({ allow: ["Bash"], ask: ["Edit(src/**)"], deny: ["mcp__*"] })).toEqual({
      ok: true,
      value: undefined,
    });
    expect(checkRules({ allow: ["Bash"], deny: ["Read(/etc)"] })).toMatchObject({
      error: { facts: { rule: "Read(/etc)" } },
    });
    expect(checkRules({})).toMatchObject({ ok: true });
  });
});
