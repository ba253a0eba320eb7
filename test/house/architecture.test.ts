import { existsSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { bundled, packages } from "../../scripts/bundle/entries.mjs";
import { packageIn } from "../../scripts/bundle/package-aliases.mjs";
import { importsOf, programFiles, root, type SourceFile, sourceFiles } from "./source-files.ts";

const foundation = ["spec", "catalog", "json", "settings", "log", "view"];
/** Types of settings and flags are made from what the parts declare: nothing else of spec looks at them. */
const takesDeclaredTypes = ["packages/core/src/spec/flag.ts", "packages/core/src/spec/settings.ts"];
/** Whether a request comes from this machine, and from no page: for every server, the emulator too. */
const guard = "local-request";
const machineDefaults = ["runtime", "runtime-shell", "version"];
const belowSession = [
  ...[...foundation, "memory", "recall", "layers", "stores"],
  ...["permissions", "git", "within-time", ...machineDefaults],
];

/** Which parts of each package a part may import from, besides itself. This is the arrow of ARCHITECTURE.md. */
const mayImport: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  core: {
    spec: [],
    version: [],
    runtime: ["spec"],
    "runtime-shell": ["spec"],
    "within-time": ["spec"],
    catalog: ["spec", "settings"],
    json: ["spec"],
    settings: ["spec", "json"],
    log: ["spec", "catalog", "json"],
    view: ["spec", "catalog", "json", "settings", "log"],
    wire: foundation,
    permissions: ["spec", "catalog", "settings"],
    git: ["spec"],
    memory: foundation,
    recall: [...foundation, "memory", "within-time"],
    layers: [...foundation, "memory"],
    stores: [...foundation, "memory", "recall", "layers", ...machineDefaults],
    session: belowSession,
    adapters: ["spec"],
    [guard]: [],
    index: ["spec", "view", "log", "layers", "stores", "session", "recall", "version"],
    internal: [...belowSession, "session", "wire", guard],
  },
  testing: {},
  palimpsest: {
    models: ["signals", "optional-import"],
    tools: ["models", "signals", "optional-import"],
    loop: ["models", "tools", "signals"],
    replay: [],
    surfaces: ["models", "tools", "loop", "replay", "signals", "optional-import"],
    index: ["loop"],
    mcp: ["surfaces", "tools"],
    adapters: [],
    stores: [],
    testing: [],
    signals: [],
    "optional-import": [],
  },
};

/** The surfaces, and which others each may import from: what people and programs call stands at the end. */
const surfaceMayImport: Readonly<Record<string, readonly string[]>> = {
  terminal: [],
  local: ["terminal"],
  gateway: ["terminal", "local"],
  mcp: ["terminal", "local"],
  inspector: ["terminal", "local"],
  tui: ["terminal", "local"],
  cli: ["terminal", "local", "gateway", "mcp", "inspector", "tui"],
};

/** What each package may import of the others, besides types of those it is tested with. */
const mayImportPackages: Readonly<Record<string, RegExp>> = {
  core: /^$/,
  testing: /^@palimpsest\/core\/(?:spec|catalog|internal\/local-request)$/,
  palimpsest: /^@palimpsest\/(?:core|testing)(?:\/|$)/,
};

/** Reading the machine's clock, chance or process belongs into `runtime.ts` and the surfaces. */
const machine =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.(?:argv|cwd|env|exit|hrtime|kill|memoryUsage|on|once|pid|platform|std\w+|uptime)\b|\bconsole\.|\bperformance\.now\(/;

const files = sourceFiles("packages").filter(({ path }) => !path.endsWith(".test.ts"));

/** The package of a file and its part there: `core`, `log`. */
function placeOf(path: string): readonly [folder: string, part: string] {
  const [, folder = "", part = ""] = /^packages\/([^/]+)\/src\/([^/]+?)(?:\.ts)?(?:\/|$)/.exec(path) ?? [];
  return [folder, part];
}

function imported(file: SourceFile): readonly string[] {
  return importsOf(file.text)
    .filter((from) => from.startsWith("."))
    .map((from) => posix.join(posix.dirname(file.path), from));
}

function isExported(name: string, text: string): boolean {
  return new RegExp(
    `^export (?:(?:async )?function\\*?|const|class|let) ${name}\\b|^export \\{[^}]*\\b${name}\\b`,
    "m",
  ).test(text);
}

describe("architecture", () => {
  it("knows every package and every part of it", () => {
    expect(Object.keys(mayImport)).toEqual(packages);
    const parts = new Set(files.map(({ path }) => placeOf(path).join(" ")));
    const unknown = [...parts].filter((place) => {
      const [folder = "", part = ""] = place.split(" ");
      return folder !== "testing" && !(part in (mayImport[folder] ?? {}));
    });
    expect(unknown).toEqual([]);
  });

  it("has imports that point one way, and none by path into another package", () => {
    const wrong = files.flatMap((file) => {
      const [folder, part] = placeOf(file.path);
      const allowed = mayImport[folder]?.[part];
      return imported(file)
        .filter((path) => {
          const [otherFolder, other] = placeOf(path);
          if (otherFolder !== folder) return true;
          if (takesDeclaredTypes.includes(file.path)) return false;
          return allowed !== undefined && other !== part && !allowed.includes(other);
        })
        .map((path) => `${file.path} imports ${path}`);
    });
    expect(wrong).toEqual([]);
  });

  it("has surfaces that import one way: none of them back from one that imports it", () => {
    const surfaceOf = (path: string) => /^packages\/palimpsest\/src\/surfaces\/([^/]+)/.exec(path)?.[1];
    const own = files.filter(({ path }) => surfaceOf(path) !== undefined);
    expect([...new Set(own.map(({ path }) => surfaceOf(path)))].sort()).toEqual(
      Object.keys(surfaceMayImport).sort(),
    );
    // Names stand behind all that they may import, so that there is no cycle.
    const order = Object.keys(surfaceMayImport);
    for (const [at, allowed] of Object.values(surfaceMayImport).entries())
      expect(allowed.filter((other) => order.indexOf(other) >= at)).toEqual([]);
    const wrong = own.flatMap((file) => {
      const surface = surfaceOf(file.path) ?? "";
      return imported(file)
        .filter((path) => {
          const other = surfaceOf(path);
          return other !== undefined && other !== surface && !surfaceMayImport[surface]?.includes(other);
        })
        .map((path) => `${file.path} imports ${path}`);
    });
    expect(wrong).toEqual([]);
  });

  it("has types of settings and flags that are made from declarations, and take nothing but types", () => {
    const taking = files.filter(({ path }) => takesDeclaredTypes.includes(path));
    expect(taking.length).toBe(2);
    for (const { path, text } of taking) {
      const imports = text.match(/^import .*$/gm) ?? [];
      expect(imports.length, path).toBeGreaterThan(1);
      expect(imports.filter((line) => !line.startsWith("import type "))).toEqual([]);
    }
  });

  it("casts no settings", () => {
    const casts = files.flatMap(({ path, text }) =>
      [...text.matchAll(/\bas (?:unknown as )?(?:Partial<)?\w*Settings\b/g)].map(
        ([cast]) => `${path}: ${cast}`,
      ),
    );
    expect(casts).toEqual([]);
    const parts = files.filter(({ path }) => /\/settings\/|\/settings\.ts$|\/switches\.ts$/.test(path));
    expect(parts.length).toBeGreaterThan(20);
    expect(parts.filter(({ text }) => /\bas Record\b/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("imports of other packages what its package file names, and of ours what it may", () => {
    const wrong = files.flatMap(({ path, text }) => {
      if (path.includes("/inspector/page/")) return [];
      const [folder] = placeOf(path);
      const { dependencies, peerDependencies } = packageIn(`${root}packages/${folder}`);
      const outside = [...Object.keys({ ...dependencies, ...peerDependencies }), ...(bundled[folder] ?? [])];
      const ours = mayImportPackages[folder];
      return importsOf(text)
        .filter((from) => !from.startsWith(".") && !from.startsWith("node:"))
        .filter((from) =>
          /palimpsest/.test(from)
            ? !ours?.test(from)
            : !outside.some((name) => from === name || from.startsWith(`${name}/`)),
        )
        .map((from) => `${path} imports ${from}`);
    });
    expect(wrong).toEqual([]);
  });

  it("has layers that import neither each other nor node", () => {
    const layersAt = "packages/core/src/layers/";
    const layers = files.filter(({ path }) => path.startsWith(layersAt));
    expect(layers.length).toBeGreaterThan(50);
    const wrong = layers.flatMap((file) => {
      const own = file.path.slice(0, file.path.indexOf("/", layersAt.length));
      const others = imported(file).filter((path) => path.startsWith(layersAt) && !path.startsWith(own));
      return [...others, ...importsOf(file.text).filter((from) => from.startsWith("node:"))].map(
        (from) => `${file.path} imports ${from}`,
      );
    });
    expect(wrong).toEqual([]);
  });

  it("has stores that take of layers nothing but their rules and settings", () => {
    const taken = files
      .filter(({ path }) => path.startsWith("packages/core/src/stores/"))
      .flatMap((file) => imported(file).map((path) => ({ file: file.path, path })))
      .filter(({ path }) => path.includes("/layers/") && !/\/(?:rules\/[\w/-]+|settings)\.ts$/.test(path));
    expect(taken).toEqual([]);
  });

  it("has two kinds of stores that know nothing of each other", () => {
    const storesAt = "packages/core/src/stores/";
    const forbidden = { files: ["postgres"], postgres: ["files"], shared: ["files", "postgres"] };
    for (const [folder, others] of Object.entries(forbidden)) {
      const own = files.filter(({ path }) => path.startsWith(`${storesAt}${folder}/`));
      expect(own.length, folder).toBeGreaterThan(8);
      const wrong = own.flatMap((file) =>
        imported(file)
          .filter((path) => others.some((other) => path.startsWith(`${storesAt}${other}/`)))
          .map((path) => `${file.path} imports ${path}`),
      );
      expect(wrong).toEqual([]);
    }
  });

  it("has every port of a store in a file of the same name, on files and on Postgres", () => {
    const storesAt = "packages/core/src/stores";
    const madeBy = (kind: string, prefix: string) => {
      const store = files.find(({ path }) => path === `${storesAt}/${kind}/store.ts`)?.text ?? "";
      const made = store.matchAll(
        new RegExp(`import \\{ create${prefix}(\\w+)[^}]*\\} from "\\./([^"]+)";`, "g"),
      );
      return Object.fromEntries([...made].map(([, name, path]) => [name, path]));
    };
    const onFiles = madeBy("files", "File");
    // Flags that files keep are read where settings are; spending below a data root is counted for all projects at once.
    const { FlagStore, SpendingLedger, ...onPostgres } = madeBy("postgres", "Postgres");
    expect(onPostgres).toEqual(onFiles);
    expect(Object.keys(onFiles).length).toBeGreaterThan(12);
    expect([FlagStore, SpendingLedger]).toEqual(["flag-store.ts", "spending/spending-ledger.ts"]);
  });

  it("has decisions and rules that do nothing: they import neither node nor what has effects", () => {
    const pure = files.filter(({ path }) => /\/layers\/(?:.+\/)?(?:rules\/.+|decide[\w-]*)\.ts$/.test(path));
    expect(pure.length).toBeGreaterThan(50);
    const wrong = pure.flatMap((file) => [
      ...importsOf(file.text).filter((from) => from.startsWith("node:")),
      // Types of what has effects do nothing.
      ...[
        ...file.text.matchAll(/^import (?!type )[^;]*from "(\.[^"]*\/(?:apply[\w-]*|run|ports)\.ts)";/gm),
      ].map(([, from]) => from),
    ]);
    expect(wrong).toEqual([]);
  });

  it("keeps spec free of behaviour: types, the error class, the result constructors and one type guard", () => {
    const spec = files.filter(({ path }) => path.startsWith("packages/core/src/spec/"));
    const values = spec.flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function|const|class|let) (\w+)/gm)].map(
        ([, name]) => `${path} ${name}`,
      ),
    );
    expect(new Set(values)).toEqual(
      new Set([
        "packages/core/src/spec/error.ts PalimpsestError",
        "packages/core/src/spec/message.ts isBlock",
        "packages/core/src/spec/result.ts fail",
        "packages/core/src/spec/result.ts ok",
      ]),
    );
    expect(spec.flatMap(({ text }) => importsOf(text)).filter((from) => !/^\.{1,2}\//.test(from))).toEqual(
      [],
    );
  });

  it("reads the machine's clock, chance and process in the runtime files and the surfaces only", () => {
    const touching = files.filter(
      ({ path, text }) => !path.startsWith("packages/palimpsest/src/surfaces/") && machine.test(text),
    );
    expect(touching.map(({ path }) => path)).toEqual([
      "packages/core/src/runtime-shell.ts",
      "packages/core/src/runtime.ts",
    ]);
  });

  it("names built files and their exports, in benches, scripts and child processes, as the source has them", () => {
    const programs = ["bench", "scripts", "test", "examples"].flatMap((folder) => programFiles(folder));
    const taken = programs.flatMap(({ path, text }) =>
      [...text.matchAll(/\{([^{}]*)\}\s*(?:from|=\s*await import\()\s*"([^"]*\/build\/[^"]*)\.js"/g)].map(
        ([, names = "", from = ""]) => ({ path, names, from }),
      ),
    );
    expect(taken.length).toBeGreaterThan(50);
    const missing = taken.flatMap(({ path, names, from }) => {
      const built = posix.join(posix.dirname(path), from).replace("/build/", "/src/");
      const source = files.find((file) => file.path === `${built}.ts`);
      if (source === undefined) return [`${path} takes from ${from}`];
      if (/^export \* from/m.test(source.text)) return [];
      return names
        .split(",")
        .map((name) => name.trim().split(/\s+as\s+|:/)[0] ?? "")
        .filter((name) => name !== "" && !isExported(name, source.text))
        .map((name) => `${path} takes ${name} from ${from}`);
    });
    expect(missing).toEqual([]);
  });

  it("starts threads whose files are beside who starts them, in the source as in what is built", () => {
    const started = files.flatMap(({ path, text }) =>
      [...text.matchAll(/new URL\("(\.[^"]+)\.js", import\.meta\.url\)/g)].map(([, file]) =>
        posix.join(posix.dirname(path), file ?? ""),
      ),
    );
    expect(started.length).toBeGreaterThan(3);
    expect(
      started.filter((file) => ![".ts", ".js"].some((end) => existsSync(`${root}${file}${end}`))),
    ).toEqual([]);
  });

  it("exports by name only, but where one package gives what another has", () => {
    const starred = files.flatMap(({ path, text }) =>
      [...text.matchAll(/^export \* from "([^"]+)"/gm)]
        .filter(([, from = ""]) => !from.startsWith("@palimpsest/"))
        .map(([line]) => `${path}: ${line}`),
    );
    expect(starred).toEqual([]);
    expect(files.filter(({ text }) => /^export default /m.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("has file names in kebab-case", () => {
    const odd = files.filter(({ path }) => !/^[a-z0-9/.-]+$/.test(path));
    expect(odd.map(({ path }) => path)).toEqual([]);
  });
});
