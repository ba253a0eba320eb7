/** The packages, in the order in which they are built. */
export const packages = ["core", "testing", "palimpsest"];

/** What each package's `dist` gives, by name, and its source. All of it lies in one folder: files beside it are found there. */
export const entries = {
  core: {
    index: "index.ts",
    "adapters-ai-sdk": "adapters/ai-sdk/index.ts",
    "adapters-langchain": "adapters/langchain/index.ts",
    catalog: "catalog/index.ts",
    internal: "internal/index.ts",
    "internal-local-request": "local-request.ts",
    "internal-postgres": "internal/postgres.ts",
    "internal-start": "internal/start.ts",
    spec: "spec/index.ts",
    "stores-files": "stores/files/index.ts",
    "stores-postgres": "stores/postgres/index.ts",
    wire: "wire/index.ts",
  },
  testing: { index: "index.ts" },
  palimpsest: {
    index: "index.ts",
    "adapters-ai-sdk": "adapters/ai-sdk.ts",
    "adapters-langchain": "adapters/langchain.ts",
    gateway: "surfaces/gateway/index.ts",
    mcp: "mcp.ts",
    "models-anthropic": "models/anthropic/index.ts",
    "models-embeddings": "models/embeddings/index.ts",
    "models-openai": "models/openai/index.ts",
    "models-scribe": "models/scribe/index.ts",
    replay: "replay/index.ts",
    "stores-files": "stores/files.ts",
    "stores-postgres": "stores/postgres.ts",
    testing: "testing.ts",
  },
};

/** What a package starts by itself: its command, and its threads. */
export const programs = {
  core: {},
  testing: {},
  palimpsest: {
    cli: "surfaces/cli/main.ts",
    "demo-worker": "surfaces/cli/demo/demo-worker.ts",
    "match-worker": "tools/files/searching/match-worker.js",
    "replay-worker": "surfaces/cli/replay/replay-worker.ts",
    "what-if-worker": "surfaces/inspector/server/what-if-worker.ts",
  },
};

/** The source of a file in a package's `dist`: `./dist/stores-files.js` → `./src/stores/files/index.ts`. */
export function sourceOf(folder, file) {
  const name = /^\.\/dist\/(.+)\.js$/.exec(file)?.[1];
  if (name === undefined) return file;
  const source = { ...entries[folder], ...programs[folder] }[name];
  if (source === undefined) throw new Error(`Nothing of packages/${folder} is built as dist/${name}.js.`);
  return `./src/${source}`;
}

/**
 * Other people's code that becomes part of a package, which then does not ask for it: what everybody loads, and what brings much
 * that is never used.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const bundled = {
  core: ["image-size", "valibot", "yaml"],
  testing: [],
  palimpsest: ["diff", "ignore", "ink", "picomatch", "react", "turndown", "yaml"],
};
