import { fail, type LogListing, type Memory } from "@palimpsest/core/spec";
import type { PublishedSources } from "./published-tool.ts";
import { readInForce } from "./read-in-force.ts";

const memoryPrefix = "palimpsest://memory/";
const sessionPrefix = "palimpsest://session/";
/** Of a session's transcript; the rest comes by recall. */
const maxTranscriptChars = 100_000;
/** A list is for choosing from: older sessions are found by searching. */
const maxListedSessions = 100;

export interface PublishedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: "text/markdown" | "text/plain";
}

export const resourceTemplates = [
  {
    uriTemplate: `${memoryPrefix}{path}`,
    name: "memory",
    description: "A memory of this project.",
    mimeType: "text/markdown",
  },
  {
    uriTemplate: `${sessionPrefix}{id}`,
    name: "session",
    description: "What happened in a session, a line an entry; its end where it is long.",
    mimeType: "text/plain",
  },
] as const;

/** Memories that are in force, then sessions, newest first. */
export async function listResources({
  memory,
  sessions,
}: PublishedSources): Promise<readonly PublishedResource[]> {
  const memories = await memory.list();
  const listed = await sessions.list();
  return [...memories.map(toMemoryResource), ...listed.slice(0, maxListedSessions).map(toSessionResource)];
}

function toMemoryResource({ path, name, description }: Memory): PublishedResource {
  const uri = `${memoryPrefix}${encodeURIComponent(path)}`;
  return { uri, name: path, title: name, description, mimeType: "text/markdown" };
}

function toSessionResource({ session, title, firstPrompt, modifiedAt }: LogListing): PublishedResource {
  return {
    uri: `${sessionPrefix}${encodeURIComponent(session)}`,
    name: session,
    title: title ?? firstPrompt ?? session,
    description: `A session, last changed ${modifiedAt}.`,
    mimeType: "text/plain",
  };
}

export async function readResource(
  uri: string,
  { memory, sessions }: PublishedSources,
): Promise<{ readonly uri: string; readonly mimeType: string; readonly text: string }> {
  if (uri.startsWith(memoryPrefix)) {
    const { text } = await readInForce(memory, decoded(uri, memoryPrefix));
    return { uri, mimeType: "text/markdown", text };
  }
  if (uri.startsWith(sessionPrefix)) {
    const text = await sessions.transcript(decoded(uri, sessionPrefix), maxTranscriptChars);
    return { uri, mimeType: "text/plain", text };
  }
  throw unknown(uri);
}

function decoded(uri: string, prefix: string): string {
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    throw unknown(uri);
  }
}

function unknown(uri: string): Error {
  return fail("not-found", `There is no resource ${uri}.`, {
    fix: `Resources begin with ${memoryPrefix} or ${sessionPrefix}; the list names them.`,
  }).error;
}
