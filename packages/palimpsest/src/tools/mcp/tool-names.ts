import { createHash } from "node:crypto";

/** Gives every tool of every server a name of its own that the API takes. */
export interface ToolNames {
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
export function isServed(name: string): boolean {
  return name.startsWith("mcp__");
}
