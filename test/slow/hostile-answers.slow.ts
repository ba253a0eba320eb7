import { it } from "vitest";
import { liveOn } from "../hostile/live-on.ts";
import { randomAnswers } from "../hostile/random-answers.ts";
import { createUpstream, fetchFrom } from "../hostile/upstream.ts";
import { reach } from "../support/reach.ts";
import { seed } from "../support/seed.ts";

/** So many of them come in one session, each with a turn behind it. */
const answersOfSession = 8;

it.each(["anthropic", "openai"] as const)(
  "a session of %s lives on, whatever is answered",
  async (provider) => {
    const upstream = createUpstream();
    const target = { upstream, provider, url: "http://upstream.invalid", fetch: fetchFrom(upstream) };
    await reach(
      { name: `hostile answers of ${provider}`, minimum: 2_500, plenty: 2_600, share: 0.12 },
      async (done) => {
        await liveOn(target, randomAnswers(provider === "openai", answersOfSession, seed + done));
        return answersOfSession;
      },
    );
  },
);
