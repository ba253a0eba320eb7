import { toolFamilies } from "../catalog/known-tools.ts";
import { fail, ok, type PermissionRules, type Result } from "../spec/index.ts";
import { type CommandPattern, parseCommandPattern } from "./command-pattern.ts";
import { type PathPattern, type PatternRefusal, parsePathPattern } from "./path-pattern.ts";

/** A rule as it was written, and what it says. */
export interface PermissionRule {
  readonly text: string;
  /** A tool's name, or its beginning where `isBeginning`. */
  readonly tool: string;
  readonly isBeginning: boolean;
  /** By what it matches; the first that fits the subject counts. Absent: every call of the tool. */
  readonly patterns?: readonly (PathPattern | CommandPattern | UrlPattern)[];
}

const form = /^(?<tool>[^()]*)(?:\((?<pattern>[\s\S]*)\))?$/;

/** Reads `Tool`, `Tool(pattern)` or `mcp__server__*`. A failure names the rule and its right form. */
export function parseRule(text: string): Result<PermissionRule> {
  const { tool, pattern } = form.exec(text.trim())?.groups ?? {};
  if (tool === undefined) return refuse(text, "the parenthesis is not closed", `${text.trim()})`);
  const name = parseName(tool);
  if ("problem" in name) return refuse(text, name.problem, name.instead);
  if (pattern === undefined || (pattern.trim() === "*" && kindOf(tool) === "command"))
    return ok({ text, ...name });
  if (pattern.trim() === "") return refuse(text, "there is nothing between the parentheses", tool);
  const patterns = parsersOf(tool, pattern).map((parse) => parse(pattern));
  const [refusal] = patterns.filter((one) => "problem" in one);
  if (refusal !== undefined) return refuse(text, refusal.problem, `${tool}(${refusal.instead})`);
  return ok({ text, ...name, patterns: patterns.filter((one) => "kind" in one) });
}

/** Every rule can be read; else the first that cannot, with its right form. */
export function checkRules(rules: PermissionRules): Result<void> {
  for (const text of [...(rules.allow ?? []), ...(rules.ask ?? []), ...(rules.deny ?? [])]) {
    const rule = parseRule(text);
    if (!rule.ok) return rule;
  }
  return ok();
}

function parseName(tool: string): Pick<PermissionRule, "tool" | "isBeginning"> | PatternRefusal {
  if (/^mcp__(?:[\w-]+__)?(?:[\w-]*)\*$/.test(tool)) return { tool: tool.slice(0, -1), isBeginning: true };
  if (tool.includes("*")) {
    return {
      problem: "only tools of MCP servers are named by a star, at the end",
      instead: "mcp__server__*",
    };
  }
  if (/^mcp__(?:(?!__).)+$/.test(tool)) {
    return { problem: "a server is no tool", instead: `${tool.replace(/_+$/, "")}__*` };
  }
  if (/^[\w-]{1,128}$/.test(tool)) return { tool, isBeginning: false };
  return { problem: "it does not begin with the name of a tool", instead: "Bash(git status:*)" };
}

type Parser = (pattern: string) => PathPattern | CommandPattern | UrlPattern | PatternRefusal;

/** The subjects of the built-in tools are known; a pattern for another tool may mean a path, a command or a URL. */
function parsersOf(tool: string, pattern: string): readonly Parser[] {
  const kind = kindOf(tool);
  if (kind === "command") return [parseCommandPattern];
  if (kind === "url" || (kind === undefined && pattern.startsWith("domain:"))) return [parseUrlPattern];
  if (kind === "path") return [parsePathPattern];
  const isPath = "kind" in parsePathPattern(pattern);
  const isCommand = "kind" in parseCommandPattern(pattern);
  return isPath || isCommand
    ? [...(isPath ? [parsePathPattern] : []), ...(isCommand ? [parseCommandPattern] : [])]
    : [parsePathPattern];
}

function kindOf(tool: string): "path" | "command" | "url" | undefined {
  return toolFamilies.find(({ tools }) => tools.includes(tool))?.kind;
}

function refuse(rule: string, problem: string, instead: string): Result<never> {
  return fail("invalid-input", `${JSON.stringify(rule)} is not a permission rule: ${problem}.`, {
    fix: `Write it like ${JSON.stringify(instead)}.`,
    facts: { rule, problem, instead },
  });
}

export interface UrlPattern {
  readonly kind: "url";
  /** As a URL has it: lower case, punycode, no dot at the end. */
  readonly host: string;
  /** Hosts below it, and not itself. */
  readonly isBelow: boolean;
}

/** `domain:example.org` is that host alone, `domain:*.example.org` every host below it. */
function parseUrlPattern(text: string): UrlPattern | PatternRefusal {
  const named = text.replace(/^domain:/i, "").trim();
  const isBelow = named.startsWith("*.");
  const host = hostOf(`http://${isBelow ? named.slice(2) : named}`);
  const isHost = host !== undefined && /^(?:\*\.)?[^*/?#@:\s]+$|^\[[0-9a-f:.]+\]$/i.test(named);
  if (text.startsWith("domain:") && isHost) return { kind: "url", host, isBelow };
  const guess = hostOf(/^[a-z]+:\/\//i.test(named) ? named : `http://${named.replace(/\*/g, "")}`);
  return {
    problem: "a URL is matched by its host",
    instead: `domain:${guess?.replace(/^\.+/, "") || "example.org"}`,
  };
}

export function matchUrl({ host, isBelow }: UrlPattern, url: string): boolean {
  const found = hostOf(url);
  return found !== undefined && (isBelow ? found.endsWith(`.${host}`) : found === host);
}

/** The host that a request would go to; `undefined` for what is no web address. */
export function hostOf(url: string): string | undefined {
  try {
    const { protocol, hostname } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") return undefined;
    return hostname.replace(/\.$/, "") || undefined;
  } catch {
    return undefined;
  }
}
