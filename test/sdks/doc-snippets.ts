import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../house/source-files.ts";

const fence = /^```ts\n([\s\S]*?)^```/gm;

/** What a page takes for granted: names that its reader has already, or has seen on the same page. */
const given: Readonly<Record<string, string>> = {
  client: 'declare const client: import("@anthropic-ai/sdk").default;',
  session: 'declare const session: import("palimpsest").Session;',
  request: 'declare const request: import("palimpsest").PreparedRequest;',
  tools: 'declare const tools: import("palimpsest").Tool[];',
  page: 'declare const page: import("palimpsest").Tool;',
  readTool: 'declare const readTool: import("palimpsest").Tool;',
  call: "declare const call: { readonly input: unknown };",
  entryId: "declare const entryId: string;",
  input_schema: "declare const input_schema: Record<string, unknown>;",
  settings: 'declare const settings: import("palimpsest").Settings;',
  environment: "declare const environment: Record<string, string>;",
  cwd: "declare const cwd: string;",
  clock: 'declare const clock: import("palimpsest").Clock;',
  onWarning: "declare const onWarning: () => void;",
  show: "declare const show: (value: unknown) => void;",
  it: "declare const it: (name: string, run: () => Promise<void>) => void;",
  createMyLogStore: 'declare const createMyLogStore: () => import("palimpsest").LogStore;',
  logStoreConformance: 'import { logStoreConformance } from "palimpsest/testing";',
  createMcpClients: 'import { createMcpClients } from "palimpsest/mcp";',
  openSession: 'import { openSession } from "palimpsest";',
};

/** Where a page means something else by such a name. */
const givenOn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/guides/own-loop.md 2": { client: 'declare const client: import("openai").default;' },
  "docs/guides/ai-sdk.md 1": { tools: 'declare const tools: import("ai").ToolSet;' },
  "docs/guides/langchain.md 1": {
    tools: 'declare const tools: import("@langchain/core/tools").StructuredTool[];',
  },
};

/** Every page whose snippets a reader may copy. */
function pages(): readonly string[] {
  const folders = ["docs", "docs/guides", "docs/layers"];
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  );
  return ["README.md", "packages/core/README.md", "packages/testing/README.md", ...inFolders];
}

/** The TypeScript of the documentation as programs of their own, by a file's name that says where each stands. */
export function docSnippets(): readonly (readonly [name: string, text: string])[] {
  return pages().flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(fence)].map(([, code = ""], index) => {
      const place = `${page} ${index + 1}`;
      const names = Object.entries({ ...given, ...givenOn[place] }).filter(([name]) => isMissing(name, code));
      const lines = [...names.map(([, declaration]) => declaration), code, "export {};"];
      return [`${place.replaceAll(/\W+/g, "-")}.ts`, `${lines.join("\n")}\n`] as const;
    }),
  );
}

/** Whether code uses a name that it does not declare. */
function isMissing(name: string, code: string): boolean {
  const isUsed = new RegExp(`(?<![.\\w"'])${name}\\b(?!:)`).test(code);
  const declared = `(?:const|let|function)\\s+(?:[{[][^}\\]]*)?\\b${name}\\b|import\\b[^;]*\\b${name}\\b`;
  return isUsed && !new RegExp(declared).test(code);
}
