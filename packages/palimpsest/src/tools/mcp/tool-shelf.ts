import { createHash } from "node:crypto";
import type { Tool, ToolDefinition } from "@palimpsest/core/spec";
import { unavailableOutcome } from "./call-outcomes.ts";
import type { ListedTool } from "./listed-tool.ts";
import type { McpServer } from "./mcp-server.ts";

/** A tool that some server has, or had. */
export interface ShelvedTool {
  readonly name: string;
  readonly server: string;
  /** As its server describes it now, or did last. */
  readonly tool: Tool;
  /** Sent with every request, as it was when the session began. */
  readonly frozen: Tool | undefined;
  /** Whether its server still has it. */
  readonly isThere: boolean;
}

/** All tools by name. What is sent with requests is frozen once and never changes: the cache hangs on its bytes. */
export interface ToolShelf {
  /** Takes over what the servers have now. */
  update(): void;
  /** From here on, what is new is late. */
  freeze(): void;
  /** The session sends these, as it did before it was closed. */
  hold(sent: readonly ToolDefinition[]): void;
  frozen(): readonly Tool[];
  /** In the order of servers, then names. */
  all(): readonly ShelvedTool[];
  find(name: string): ShelvedTool | undefined;
}

export function createToolShelf(servers: readonly McpServer[]): ToolShelf {
  const names = createToolNames();
  const shelved = new Map<string, ShelvedTool>();
  let frozen: readonly Tool[] | undefined;

  function update(): void {
    const present = new Set<string>();
    for (const server of servers) {
      for (const listed of server.tools()) {
        const name = names.nameOf(server.name, listed.name);
        present.add(name);
        const before = shelved.get(name);
        const tool = toTool(name, server, listed);
        shelved.set(name, { name, server: server.name, tool, frozen: before?.frozen, isThere: true });
      }
    }
    for (const [name, item] of shelved) {
      if (!present.has(name)) shelved.set(name, { ...item, isThere: false });
    }
  }

  const rankOf = new Map(servers.map(({ name }, rank) => [name, rank]));
  const all = () =>
    [...shelved.values()].sort(
      (one, other) =>
        (rankOf.get(one.server) ?? 0) - (rankOf.get(other.server) ?? 0) || (one.name < other.name ? -1 : 1),
    );

  return {
    update,
    freeze() {
      if (frozen !== undefined) return;
      const begin = all().filter(({ isThere }) => isThere);
      for (const item of begin) shelved.set(item.name, { ...item, frozen: item.tool });
      frozen = Object.freeze(begin.map(({ tool }) => tool));
    },
    hold(sent) {
      const held = new Map(sent.filter(isServedTool).map((one) => [one.name, one]));
      for (const [name, item] of shelved) {
        const one = held.get(name);
        shelved.set(name, { ...item, frozen: one && { ...item.tool, ...one } });
        held.delete(name);
      }
      for (const [name, one] of held)
        shelved.set(name, { name, server: "", tool: unavailableTool(one), frozen: one, isThere: false });
      frozen = Object.freeze(all().flatMap((item) => item.frozen ?? []));
    },
    frozen: () => frozen ?? [],
    all,
    find: (name) => shelved.get(name),
  };
}

type ServedDefinition = ToolDefinition & Pick<Tool, "input_schema">;

function isServedTool(sent: ToolDefinition): sent is ServedDefinition {
  return isServed(sent.name) && sent.input_schema !== undefined;
}

/** One that no server of this run has. */
function unavailableTool({ name, ...rest }: ServedDefinition): Tool {
  return { name, ...rest, isReadOnly: true, run: async () => unavailableOutcome(name) };
}

function toTool(name: string, server: McpServer, listed: ListedTool): Tool {
  const { description, input_schema, isReadOnly, _meta } = listed;
  return Object.freeze({
    name,
    ...(description !== "" && { description }),
    input_schema,
    isReadOnly,
    ...(_meta !== undefined && { _meta }),
    run: (input: unknown, context: Parameters<NonNullable<Tool["run"]>>[1]) =>
      server.call(listed.name, input, context),
  });
}

/** Gives every tool of every server a name of its own that the API takes. */
interface ToolNames {
  /** The same for the same tool, whichever tools were named before, unless somebody aims at another's name. */
  nameOf(server: string, tool: string): string;
}

const maxChars = 64;
const digestChars = 8;

export function createToolNames(): ToolNames {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  return {
    nameOf(server, tool) {
      const pair = `${server}\0${tool}`;
      const known = names.get(pair);
      if (known !== undefined) return known;
      let name = plainName(server, tool) ?? digestName(server, tool, pair);
      for (let again = 1; taken.has(name); again += 1) name = digestName(server, tool, `${pair}\0${again}`);
      names.set(pair, name);
      taken.add(name);
      return name;
    },
  };
}

/**
 * `mcp__<server>__<tool>`, where that is legal and says which part is which: then no other pair has the same. A server's
 * name may therefore neither hold two underscores in a row nor end in one.
 */
function plainName(server: string, tool: string): string | undefined {
  const name = `mcp__${server}__${tool}`;
  const isClear = !server.includes("__") && !server.endsWith("_") && server !== "" && tool !== "";
  return isClear && name.length <= maxChars && /^[\w-]+$/.test(name) ? name : undefined;
}

function digestName(server: string, tool: string, digested: string): string {
  const digest = createHash("sha256").update(digested).digest("hex").slice(0, digestChars);
  const legal = `mcp__${server}__${tool}`.replace(/[^\w-]/g, "_");
  return `${legal.slice(0, maxChars - digestChars - 1)}_${digest}`;
}

/** Whether a name is one of these. */
function isServed(name: string): boolean {
  return name.startsWith("mcp__");
}
