import type { PatternRefusal } from "./path-pattern.ts";

export interface UrlPattern {
  readonly kind: "url";
  /** As a URL has it: lower case, punycode, no dot at the end. */
  readonly host: string;
  /** Hosts below it, and not itself. */
  readonly isBelow: boolean;
}

/** `domain:example.org` is that host alone, `domain:*.example.org` every host below it. */
export function parseUrlPattern(text: string): UrlPattern | PatternRefusal {
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
