import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createCatalog } from "../../packages/core/src/catalog/index.ts";
import type { Emulator, RecordedRequest } from "../../packages/testing/src/index.ts";
import { emulate, model } from "../support/emulator.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { playAgent } from "./playing-agent.ts";

const run = fileURLToPath(new URL("../../bench/run.mjs", import.meta.url));

interface LiveEnd {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

async function live(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<LiveEnd> {
  const home = await temporaryFolder();
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: home, PALIMPSEST_HOME: home, ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [run, "live", ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

const small = ["--parts", "3", "--kilobytes", "1"];

function at(emulator: Emulator) {
  return { ANTHROPIC_BASE_URL: emulator.url, ANTHROPIC_API_KEY: "sk-ant-test-0123456789abcdef" };
}

/** What the emulator has answered, at the catalog's prices and by itself. */
function billed(requests: readonly RecordedRequest[]) {
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, output } = createCatalog().prices(model).value;
  const used = requests.flatMap(({ endpoint, usage }) => (endpoint === "messages" && usage ? [usage] : []));
  const sum = (pick: (usage: (typeof used)[number]) => number) =>
    used.reduce((total, usage) => total + pick(usage), 0);
  const read = sum((usage) => usage.cache_read_input_tokens);
  const hour = sum((usage) => usage.cache_creation?.ephemeral_1h_input_tokens ?? 0);
  const written = sum((usage) => usage.cache_creation_input_tokens);
  const fresh = sum((usage) => usage.input_tokens);
  const dollars =
    read * cacheRead +
    (written - hour) * cacheWrite5m +
    hour * cacheWrite1h +
    fresh * input +
    sum((usage) => usage.output_tokens) * output;
  return {
    requests: used.length,
    dollars: dollars / 1e6,
    cacheReadShare: read / (read + written + fresh),
    peakTokens: Math.max(
      ...used.map(
        (usage) => usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
      ),
    ),
  };
}

describe("bench live", () => {
  it("says what the server has billed, and which checks the model has passed", async () => {
    const { emulator } = await emulate({ script: playAgent });
    const { code, stdout, stderr } = await live(
      ["--model", model, "--variants", "layers-off", "--json", ...small],
      at(emulator),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { variants, commonSteps } = JSON.parse(stdout);
    const { requests, dollars, cacheReadShare, peakTokens } = billed([...emulator.requests]);
    expect(commonSteps).toBe(8);
    expect(variants).toMatchObject([
      {
        variant: "layers-off",
        requests,
        peakTokens,
        invalid: 0,
        finishedSteps: 8,
        ends: ["done"],
        dollarsOfLast: 1,
        checks: {
          tell: { asked: 1, right: 1 },
          read: { asked: 3, right: 3 },
          edit: { asked: 1, right: 1 },
          ask: { asked: 3, right: 3 },
        },
      },
    ]);
    expect(variants[0].dollars).toBeCloseTo(dollars, 9);
    expect(variants[0].cacheReadShare).toBeCloseTo(cacheReadShare, 9);
  });

  it("counts what both variants took, forks too", async () => {
    const { emulator } = await emulate({ script: playAgent });
    const args = ["--model", model, "--json", "--parts", "4", "--kilobytes", "12"];
    const { code, stdout } = await live(args, at(emulator));
    const { variants } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(variants.map(({ variant }: { variant: string }) => variant)).toEqual(["faithful", "layers-off"]);
    const [faithful, off] = variants;
    expect(faithful.forkDollars).toBeGreaterThan(0);
    expect(faithful.dollars + off.dollars).toBeCloseTo(billed([...emulator.requests]).dollars, 9);
    expect(faithful.dollarsOfLast).toBeCloseTo(faithful.dollars / off.dollars, 9);
  });

  it("stops at the budget", async () => {
    const { emulator } = await emulate({ script: playAgent });
    const args = [
      "--model",
      model,
      "--variants",
      "layers-off",
      "--budget-dollars",
      "0.1",
      "--json",
      ...small,
    ];
    const { code, stdout } = await live(args, at(emulator));
    const [{ ends, finishedSteps }] = JSON.parse(stdout).variants;
    expect({ code, ends }).toEqual({ code: 0, ends: ["budget"] });
    expect(finishedSteps).toBeLessThan(8);
    const beforeLast = [...emulator.requests].slice(0, -1);
    expect(billed(beforeLast).dollars).toBeLessThan(0.1);
    expect(billed([...emulator.requests]).dollars).toBeGreaterThanOrEqual(0.1);
  });

  it("says in one line what is missing without a key", async () => {
    expect(await live(["--model", model], {})).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "live: There is no key for Anthropic, which serves claude-opus-4-5. Set ANTHROPIC_API_KEY, and run it again.\n",
    });
  });
});
