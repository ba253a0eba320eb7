import type { MemoryHit, MemoryType, MemoryWritten, TreeVersion } from "@palimpsest/core/spec";
import type { PublishedTool } from "../published-tool.ts";
import { isQuarantined, readUnquarantined } from "../read-unquarantined.ts";

const path = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  description: "The memory's file, as a search names it: staging-server.md",
} as const;

const limit = {
  type: "integer",
  minimum: 1,
  maximum: 50,
  description: "How many hits at most; 10 when absent.",
};

export const memorySearch: PublishedTool = {
  name: "memory_search",
  title: "Search memories",
  description:
    "Finds what this project remembers: facts, preferences and corrections that outlive a session. Search before asking the user what they may have said before. Give words that the memory would contain.",
  input_schema: {
    type: "object",
    properties: { query: { type: "string", minLength: 1, maxLength: 1000 }, limit },
    required: ["query"],
    additionalProperties: false,
  },
  isReadOnly: true,
  async run(input, { memory }) {
    const { query, limit: most } = input as { query: string; limit?: number };
    const hits = await memory.search(query, {
      kinds: ["memory"],
      ...(most !== undefined && { limit: most }),
    });
    const trust = new Map(
      (await memory.list()).map((one) => [one.path, one.isConfirmed ? "confirmed" : one.trust]),
    );
    const records = hits.map((hit) => memoryHitRow(hit, trust.get(hit.path) ?? "untrusted"));
    const lines = records.map(({ path: file, name, trust: how, snippet }) =>
      [`${file} (${how})`, ...(name === null ? [] : [`  ${name}`]), `  ${snippet}`].join("\n"),
    );
    return {
      text: lines.length === 0 ? `No memory matches “${query}”.` : lines.join("\n"),
      fields: { hits: records },
    };
  },
};

function memoryHitRow({ path: file, name, score, snippet }: MemoryHit, trust: string) {
  return { path: file, name: name ?? null, trust, score, snippet };
}

export const memoryRead: PublishedTool = {
  name: "memory_read",
  title: "Read a memory",
  description:
    "Gives one memory whole, or an earlier version of it. The version is what memory_write takes as “expect”. What waits in quarantine is shown to a person only.",
  input_schema: {
    type: "object",
    properties: {
      path,
      version: { type: "integer", minimum: 1, description: "An earlier version; the newest when absent." },
    },
    required: ["path"],
    additionalProperties: false,
  },
  isReadOnly: true,
  async run(input, { memory }) {
    const { path: file, version } = input as { path: string; version?: number };
    const read = await readUnquarantined(memory, file, version);
    memory.use(file);
    const trust =
      read.memory === undefined ? "untrusted" : read.memory.isConfirmed ? "confirmed" : read.memory.trust;
    return {
      text: `${file}, version ${read.version.version}, ${trust}\n\n${read.text}`,
      fields: { path: file, version: read.version.version, at: read.version.at, trust, text: read.text },
    };
  },
};

interface WriteInput {
  readonly path: string;
  readonly text: string;
  readonly name?: string;
  readonly description?: string;
  readonly type?: MemoryType;
  readonly expect?: number;
}

export const memoryWrite: PublishedTool = {
  name: "memory_write",
  title: "Write a memory",
  description:
    "Keeps something for later sessions: a whole file a topic. Those of type feedback and project have paragraphs that begin with **Why:** and **How to apply:**. What this server cannot know to come from the user is marked as untrusted, and orders or claims about the user wait until a person confirms them. Secrets are masked. Nothing is lost: every write is a version.",
  input_schema: {
    type: "object",
    properties: {
      path,
      text: { type: "string", minLength: 1, maxLength: 100_000, description: "The whole file, as Markdown." },
      name: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "A title, where the text has no front matter.",
      },
      description: {
        type: "string",
        minLength: 1,
        maxLength: 500,
        description: "One line that says when it matters.",
      },
      type: { enum: ["user", "feedback", "project", "reference"] },
      expect: {
        type: "integer",
        minimum: 0,
        description:
          "The version that was read, 0 for a new file; refused when another has been written since.",
      },
    },
    required: ["path", "text"],
    additionalProperties: false,
  },
  isReadOnly: false,
  async run(input, { memory }, caller) {
    const { path: file, text, ...options } = input as WriteInput;
    const written = await memory.write(file, text, {
      ...options,
      author: "agent",
      trust: "untrusted",
      source: `mcp:${caller}`,
    });
    return { text: writtenText(written), fields: writtenFields(written) };
  },
};

function writtenText({ memory, version, quarantined, masked }: MemoryWritten): string {
  const where = `Written: ${memory.path}, version ${version.version}.`;
  const secrets = masked ? ` ${masked} ${masked === 1 ? "secret was" : "secrets were"} masked.` : "";
  const waits =
    quarantined === undefined
      ? ""
      : ` It waits until a person confirms it (palimpsest memory confirm): ${quarantined}`;
  return `${where}${secrets}${waits}`;
}

function writtenFields({ memory, version, quarantined, masked }: MemoryWritten) {
  return {
    path: memory.path,
    version: version.version,
    quarantined: quarantined ?? null,
    masked: masked ?? 0,
  };
}

export const memoryHistory: PublishedTool = {
  name: "memory_history",
  title: "History of a memory",
  description:
    "Lists the versions of a memory, or of all memories, newest first: when, by whom, in which session.",
  input_schema: {
    type: "object",
    properties: {
      path,
      limit: { ...limit, maximum: 500, description: "How many versions at most; 50 when absent." },
    },
    additionalProperties: false,
  },
  isReadOnly: true,
  async run(input, { memory }) {
    const { path: file, limit: most = 50 } = input as { path?: string; limit?: number };
    // The names of files are words too.
    const versions = (await memory.history(file)).filter((one) => !isQuarantined(one.path)).toReversed();
    const records = versions.slice(0, most).map(toVersion);
    const more = versions.length - records.length;
    const lines = records.map(
      ({ path: one, version, at, author, source, removed }) =>
        `${at}  ${one}  version ${version}  by ${author}${source === null ? "" : ` (${source})`}${removed ? "  removed" : ""}`,
    );
    if (more > 0) lines.push(`and ${more} older`);
    return {
      text: lines.length === 0 ? "Nothing was written yet." : lines.join("\n"),
      fields: { versions: records },
    };
  },
};

function toVersion({ path: file, version, at, author, session, source, removed }: TreeVersion) {
  return {
    path: file,
    version,
    at,
    author,
    session: session ?? null,
    source: source ?? null,
    removed: removed ?? false,
  };
}
