import { expect, it } from "vitest";
import { createEmulator, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { hello } from "../support/emulator.ts";

const requests = 1_000;

const wordsOf = ({ body }: RecordedRequest): string => {
  const messages = (body?.messages ?? []) as readonly { readonly content: string }[];
  return messages[0]?.content ?? "";
};

/** Long enough for many events, and different at every place. */
const textFor = (number: number) =>
  `#${number}: ${`${number} is what I was asked. `.repeat(1 + (number % 20))}`;

const headers = {
  "content-type": "application/json",
  "x-api-key": "none",
  "anthropic-version": "2023-06-01",
};

interface WireEvent {
  readonly type: string;
  readonly delta?: { readonly text?: string };
}

it("answers 1,000 requests at once, streamed or not, each with its own words", async () => {
  let waiting = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Nobody is answered before everybody has asked.
  const emulator = await createEmulator({
    keepRequests: 10,
    keepBodies: 3,
    script: async (request) => {
      waiting += 1;
      if (waiting === requests) release();
      await all;
      return say(textFor(Number(wordsOf(request))));
    },
  });
  try {
    const answers = await Promise.all(
      Array.from({ length: requests }, async (_, number) => {
        const isStream = number % 2 === 0;
        const messages = [{ role: "user", content: String(number) }];
        const body = JSON.stringify({ ...hello, messages, stream: isStream });
        const response = await fetch(`${emulator.url}/v1/messages`, { method: "POST", headers, body });
        const text = await response.text();
        if (!isStream) return JSON.parse(text).content[0].text;
        const events = text
          .split("\n")
          .filter((line) => line.startsWith("data: "))
          .map((line): WireEvent => JSON.parse(line.slice(6)));
        expect(events.filter(({ type }) => type === "message_start")).toHaveLength(1);
        expect(events.at(-1)?.type).toBe("message_stop");
        return events.map(({ delta }) => delta?.text ?? "").join("");
      }),
    );
    expect(answers).toEqual(answers.map((_, number) => textFor(number)));
    expect(emulator.requests.total).toBe(requests);
    await emulator.idle();
    const kept = [...emulator.requests];
    expect(kept).toHaveLength(10);
    expect(kept.filter(({ body }) => body !== undefined).length).toBeLessThanOrEqual(3);
    expect(kept.every(({ outcome }) => outcome === "answered")).toBe(true);
  } finally {
    await emulator.close();
  }
});
