import type { Memory } from "../../spec/index.ts";
import { escapeDelimiters, toAttribute } from "./delimiters.ts";
import type { Trust } from "./taint.ts";

/**
 * A memory as the model sees it: data between delimiters, with where it came from. It is attached to the conversation and
 * never part of the system prompt. Nothing in it can end it early, or say of it what is not so.
 */
export function renderMemory(memory: Memory): string {
  const { path, name, type, author, trust, isConfirmed, session, version, at, description, body } = memory;
  const provenance: Readonly<Record<string, string | undefined>> = {
    path,
    name,
    type,
    author,
    trust,
    confirmed: isConfirmed ? "yes" : "no",
    session,
    version: String(version),
    at,
  };
  const attributes = Object.entries(provenance).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}="${toAttribute(value)}"`,
  );
  const says = [description, body].map((text) => text.trim()).filter((text) => text !== "");
  return `<memory ${attributes.join(" ")}>\n${escapeDelimiters(says.join("\n\n")).trim()}\n</memory>`;
}

const heads = /<memory ([^<>]*)>/g;

/** What rendered memories say of themselves: trusted where all of them are, or a person has confirmed them. */
export function recalledTrust(text: string): Trust {
  const found = [...text.matchAll(heads)].map(([, attributes = ""]) => attributes);
  const isTrusted = (attributes: string) => / (?:trust="trusted"|confirmed="yes")(?: |$)/.test(attributes);
  return found.length > 0 && found.every(isTrusted) ? "trusted" : "untrusted";
}

/** The index of memories in the same dress: untrusted as soon as one of the memories it lists is. */
export function renderMemoryIndex(text: string, trust: Trust): string {
  return `<memory path="MEMORY.md" type="index" trust="${trust}">\n${escapeDelimiters(text).trim()}\n</memory>`;
}
