import type { Tool, ToolDefinition } from "@palimpsest/core/spec";
import { goneOutcome } from "./call-outcomes.ts";
import type { ListedTool } from "./listed-tool.ts";
import type { McpServer } from "./mcp-server.ts";
import { createToolNames, isServed } from "./tool-names.ts";

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
        shelved.set(name, { name, server: "", tool: goneTool(one), frozen: one, isThere: false });
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
function goneTool({ name, ...rest }: ServedDefinition): Tool {
  return { name, ...rest, isReadOnly: true, run: async () => goneOutcome(name) };
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
