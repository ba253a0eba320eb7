import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mcpNumbers } from "../../packages/palimpsest/src/tools/mcp/index.ts";
import { usualNames } from "../../packages/palimpsest/src/tools/mcp/server-target.ts";
import { root } from "../house/source-files.ts";

it("docs/guides/mcp-servers.md quotes the numbers and names that the code has", () => {
  const page = readFileSync(join(root, "docs/guides/mcp-servers.md"), "utf8").replace(/\s+/g, " ");
  const names = usualNames.map((name) => `\`${name}\``);
  const quoted = [
    `waits at most ${mcpNumbers.startWaitMs / 1000} seconds`,
    `not answered after ${mcpNumbers.connectMs / 1000} seconds`,
    `asked for one after ${mcpNumbers.quietMs / 1000} seconds`,
    `After ${mcpNumbers.stalledMs / 60_000} minutes without`,
    `up to ${mcpNumbers.maxResultChars / 1e6} million characters`,
    `${["one", "two", "three"][mcpNumbers.reconnectTries - 1]} times, with pauses`,
    `lost ${["once", "twice", "three times"][mcpNumbers.maxLosses - 1]} without an answer`,
    `A program sees ${names.slice(0, -1).join(", ")} and ${names.at(-1)},`,
  ];
  expect(quoted.filter((words) => !page.includes(words))).toEqual([]);
});
