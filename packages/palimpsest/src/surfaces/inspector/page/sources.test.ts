import { describe, expect, it } from "vitest";
import type { InspectedFile } from "../inspected.ts";
import { createFileSource } from "./file-source.ts";
import { toFailure } from "./inspector-error.ts";
import { createServerSource, type Network } from "./server-source.ts";
import { sampleSession } from "./session-samples.ts";

function recordingNetwork(answers: Readonly<Record<string, unknown>>, status = 200) {
  const urls: string[] = [];
  const network: Network = {
    fetch: async (url) => {
      urls.push(url);
      return { ok: status < 400, status, json: async () => answers[url.split("?")[0] ?? ""] };
    },
    listen: (url) => {
      urls.push(url);
      return () => urls.push("closed");
    },
  };
  return { network, urls };
}

describe("createServerSource", () => {
  it("asks relative addresses with everything escaped", async () => {
    const { network, urls } = recordingNetwork({});
    const source = createServerSource(network);
    await source.sessions();
    await source.texts("a/b?c", [1, 2, 3]);
    await source.whatIf("a", "./my policy.js");
    await source.memory("topics/a&b.md");
    source.watch("a", () => {})();
    expect(urls).toEqual([
      "api/sessions",
      "api/sessions/a%2Fb%3Fc/texts?items=1,2,3",
      "api/sessions/a/what-if?policy=.%2Fmy%20policy.js",
      "api/memory?path=topics%2Fa%26b.md",
      "api/sessions/a/watch",
      "closed",
    ]);
  });

  it("asks for many texts in parts", async () => {
    const { network, urls } = recordingNetwork({ "api/sessions/s/texts": [{ shown: "x" }] });
    const items = Array.from({ length: 450 }, (_, item) => item);
    expect(await createServerSource(network).texts("s", items)).toEqual([
      { shown: "x" },
      { shown: "x" },
      { shown: "x" },
    ]);
    expect(urls.map((url) => url.split(",").length)).toEqual([200, 200, 50]);
  });

  it("says which generation it has once it has one", async () => {
    const { network, urls } = recordingNetwork({ "api/sessions/s": sampleSession(2, { generation: 7 }) });
    const source = createServerSource(network);
    await source.session("s");
    await source.session("s", { request: 2, item: 2, mark: 0 });
    expect(urls).toEqual([
      "api/sessions/s?request=0&item=0&mark=0",
      "api/sessions/s?request=2&item=2&mark=0&generation=7",
    ]);
  });

  it("gives on what the server says is wrong", async () => {
    const answer = { message: "There is no such session.", fix: "Choose one of the list." };
    const { network } = recordingNetwork({ "api/sessions/x": answer }, 404);
    const failure = await createServerSource(network).session("x").catch(toFailure);
    expect(failure).toEqual(answer);
  });

  it("says what to do where no server answers", async () => {
    const network = { ...recordingNetwork({}).network, fetch: () => Promise.reject(new TypeError("failed")) };
    const failure = await createServerSource(network).sessions().catch(toFailure);
    expect(failure).toEqual({
      message: "The inspector does not answer.",
      fix: "Start `palimpsest inspect` again and open the address it prints.",
    });
  });
});

describe("createFileSource", () => {
  const session = sampleSession(2);
  const file: InspectedFile = {
    entry: { ...session, bytes: 12 },
    session,
    texts: [{ shown: "one" }, { shown: "two", original: "whole" }],
    whatIfs: [],
    policies: [{ name: "engine", about: "All layers." }],
    memories: [],
  };

  it("has the session, its texts and policies", async () => {
    const source = createFileSource(file);
    expect([await source.sessions(), await source.session("s"), await source.policies()]).toEqual([
      [file.entry],
      session,
      file.policies,
    ]);
    expect(await source.texts("s", [1, 0])).toEqual([{ shown: "two", original: "whole" }, { shown: "one" }]);
  });

  it("says what the file does not have", async () => {
    const source = createFileSource(file);
    expect(await source.whatIf("s", "engine").catch(toFailure)).toEqual({
      message: "The report has no replay under the policy engine.",
      fix: "Open the session with `palimpsest inspect`, which replays any policy.",
    });
    expect(await source.memory("x.md").catch(toFailure)).toEqual({
      message: "The report does not hold the text of x.md.",
      fix: "Open the folder with `palimpsest inspect`, which shows memories whole.",
    });
  });
});
