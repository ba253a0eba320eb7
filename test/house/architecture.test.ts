import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, type SourceFile, sourceFiles } from "./source-files.ts";

const foundation = ["spec", "catalog", "log", "context"];
/** Whether a request comes from this machine, and from no page: for every server, the emulator too. */
const guard = "local-request";
const machineDefaults = ["runtime", "runtime-shell", "version"];
const belowEngine = [...foundation, "layers", "stores", "models", "tools", "git", ...machineDefaults];

/** Which parts of `src` each part may import from, besides itself. This is the arrow of ARCHITECTURE.md. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  version: [],
  runtime: ["spec"],
  "runtime-shell": ["spec"],
  catalog: ["spec"],
  log: ["spec", "catalog"],
  context: ["spec", "catalog", "log"],
  layers: foundation,
  stores: [...foundation, ...machineDefaults],
  models: [...foundation, ...machineDefaults],
  git: ["spec"],
  tools: [...foundation, "git", "runtime"],
  engine: belowEngine,
  loop: [...belowEngine, "engine"],
  replay: [...belowEngine, "engine"],
  [guard]: [],
  testing: ["spec", "catalog", guard],
};

/** Reading the machine's clock, chance or process belongs into `runtime.ts` and the surfaces. */
const machine =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.(?:argv|cwd|env|exit|hrtime|kill|memoryUsage|on|once|pid|platform|std\w+|uptime)\b|\bconsole\.|\bperformance\.now\(/;

const files = sourceFiles("src").filter(({ path }) => !path.endsWith(".test.ts"));
const partOf = (path: string) =>
  path
    .replace(/^src\//, "")
    .replace(/\.ts$/, "")
    .split("/")[0] ?? "";

function imported(file: SourceFile): readonly string[] {
  return importsOf(file.text)
    .filter((from) => from.startsWith("."))
    .map((from) => posix.join(posix.dirname(file.path), from));
}

describe("architecture", () => {
  it("knows every part of the source", () => {
    const parts = new Set(files.map(({ path }) => partOf(path)));
    parts.delete("index");
    parts.delete("surfaces");
    expect([...parts].filter((part) => !(part in mayImport))).toEqual([]);
  });

  it("has imports that point one way", () => {
    const wrong = files.flatMap((file) => {
      const part = partOf(file.path);
      const allowed = mayImport[part];
      if (!allowed) return [];
      return imported(file)
        .filter((path) => partOf(path) !== part && !allowed.includes(partOf(path)))
        .map((path) => `${file.path} imports ${path}`);
    });
    expect(wrong).toEqual([]);
  });

  it("has layers that import neither each other nor node", () => {
    const layers = files.filter(({ path }) => path.startsWith("src/layers/"));
    const wrong = layers.flatMap((file) => {
      const own = file.path.split("/").slice(0, 3).join("/");
      const others = imported(file).filter((path) => path.startsWith("src/layers/") && !path.startsWith(own));
      return [...others, ...importsOf(file.text).filter((from) => from.startsWith("node:"))].map(
        (from) => `${file.path} imports ${from}`,
      );
    });
    expect(wrong).toEqual([]);
  });

  it("keeps spec free of behaviour: types, the error class, the result constructors and one type guard", () => {
    const spec = files.filter(({ path }) => path.startsWith("src/spec/"));
    const values = spec.flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function|const|class|let) (\w+)/gm)].map(
        ([, name]) => `${path} ${name}`,
      ),
    );
    expect(new Set(values)).toEqual(
      new Set([
        "src/spec/error.ts PalimpsestError",
        "src/spec/message.ts isBlock",
        "src/spec/result.ts fail",
        "src/spec/result.ts ok",
      ]),
    );
    expect(spec.flatMap(({ text }) => importsOf(text)).filter((from) => !from.startsWith("./"))).toEqual([]);
  });

  it("reads the machine's clock, chance and process in the runtime files and the surfaces only", () => {
    const touching = files.filter(
      ({ path, text }) => !path.startsWith("src/surfaces/") && machine.test(text),
    );
    expect(touching.map(({ path }) => path)).toEqual(["src/runtime-shell.ts", "src/runtime.ts"]);
  });

  it("exports by name only", () => {
    const starred = files.filter(({ text }) => /^export \* /m.test(text));
    expect(starred.map(({ path }) => path)).toEqual([]);
    expect(files.filter(({ text }) => /^export default /m.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("has file names in kebab-case", () => {
    const odd = files.filter(({ path }) => !/^[a-z0-9/.-]+$/.test(path));
    expect(odd.map(({ path }) => path)).toEqual([]);
  });
});
