import { describe, expect, it } from "vitest";
import { normalize, policies } from "../../packages/palimpsest/src/replay/index.ts";
import type { InspectedSession, WhatIf } from "../../packages/palimpsest/src/surfaces/inspector/inspected.ts";
import {
  mainPolicyName,
  policyAbouts,
  runWhatIf,
} from "../../packages/palimpsest/src/surfaces/inspector/server/run-what-if.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { cliHome } from "../support/cli.ts";
import { call, createRecording, fileText, result } from "../support/recordings.ts";
import { answers, says, text, used } from "./support/drafts.ts";
import { served } from "./support/served.ts";

function recording() {
  const { entries, says: asks, round } = createRecording();
  asks("read them");
  for (let count = 0; count < 14; count += 1)
    round(
      [call(`t${count}`, "Read", { file_path: `/f${count}.ts` })],
      [result(`t${count}`, fileText(`f${count}`, 60))],
    );
  round([{ type: "text", text: "done" }]);
  return entries;
}

describe("what if", () => {
  it("gives every request its tokens, its dollars so far, and the breaks that the policy made", async () => {
    const session = normalize(recording(), "any");
    const identity = must(await runWhatIf(session, "identity"));
    expect(identity).toMatchObject({
      policy: "identity",
      breaks: [],
      fetches: 0,
      survival: { inView: 1, lost: 0 },
    });
    expect([identity.tokens.length, identity.dollars.length]).toEqual([15, 15]);
    const masked = must(await runWhatIf(session, "sliding-mask"));
    expect(masked.breaks.length).toBeGreaterThan(0);
    expect(masked.tokens.at(-1)).toBeLessThan(identity.tokens.at(-1) as number);
    for (const { dollars } of [identity, masked])
      expect(dollars).toEqual([...dollars].sort((one, other) => one - other));
    expect(identity.note).toBeUndefined();
  });

  it("leaves the requests of a fork's parent out", async () => {
    const session = normalize(recording(), "any");
    const all = must(await runWhatIf(session, "identity"));
    const own = must(await runWhatIf(session, "identity", 5));
    expect(own.tokens).toEqual(all.tokens.slice(5));
    expect(own.dollars[0]).toBeCloseTo((all.dollars[5] as number) - (all.dollars[4] as number));
  });

  it("says so where sizes are estimates, and measures all the same", async () => {
    const home = await cliHome();
    await home.add("one", [says("go"), answers("r1", [text("a")], { usage: used(0, 500) })]);
    const { json, asked } = await served({ home });
    const answer = await json<WhatIf>("api/sessions/one/what-if?policy=identity");
    expect(answer.tokens).toHaveLength(1);
    expect(answer.note).toMatch(/plain estimates/);
    expect(await json("api/sessions/one/what-if?policy=identity")).toEqual(answer);
    expect(asked).toEqual(["identity"]);
  });

  it("has as many values as the session has requests, and works out a grown session anew", async () => {
    const home = await cliHome();
    const writer = must(
      await home.store.logs.create({ kind: "session", session: { id: "one", project: "t" } }),
    );
    must(await writer.append([says("go"), answers("r1", [text("a")])]));
    const { json, asked } = await served({ home });
    expect((await json<WhatIf>("api/sessions/one/what-if?policy=engine")).tokens).toHaveLength(1);
    must(await writer.append([says("more"), answers("r2", [text("b")])]));
    const grown = await json<WhatIf>("api/sessions/one/what-if?policy=engine");
    const session = await json<InspectedSession>("api/sessions/one");
    expect(grown.tokens).toHaveLength(session.requests.at.length);
    expect(asked).toEqual(["engine", "engine"]);
    must(await writer.close());
  });

  it("describes every policy of the box, each under one name", async () => {
    const once = policies.filter(({ sameAs }) => sameAs === undefined);
    expect(policyAbouts().map(({ name }) => name)).toEqual(once.map(({ name }) => name));
    expect(policyAbouts().filter(({ about }) => about === "")).toEqual([]);
    expect(["engine", "faithful", "magic"].map(mainPolicyName)).toEqual(["faithful", "faithful", "magic"]);
    const { json } = await served();
    expect(await json("api/policies")).toEqual(policyAbouts());
  });
});
