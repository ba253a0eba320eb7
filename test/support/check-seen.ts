import fc from "fast-check";
import { expect } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import {
  type ContentBlock,
  type EventBody,
  isBlock,
  type Message,
  type MessageInput,
  PalimpsestError,
  type Session,
  type Settings,
} from "../../packages/core/src/spec/index.ts";
import { imageFacts } from "../../packages/core/src/view/request/media-facts.ts";
import { createMeasure } from "../../packages/core/src/view/tokens/measure.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { imageOf } from "./images.ts";
import { assistant, call, think, user } from "./session-messages.ts";
import { createVirtualStore } from "./virtual-store.ts";

/** One thing that happens in a run; sizes are parts of the window, in thousandths. */
export type SeenStep =
  | {
      readonly step: "prompt";
      readonly size: number;
      readonly images: number;
      /** Of so many texts it is made; absent: of one. */
      readonly texts?: number;
      /** Every so manieth of the images is wider than many images may be; absent: none is. */
      readonly wideEvery?: number;
    }
  | {
      readonly step: "round";
      readonly sizes: readonly number[];
      readonly thinks: boolean;
      /** What the user says while the tools run. */
      readonly said: number | null;
    }
  | { readonly step: "answer"; readonly size: number }
  | { readonly step: "compact" | "clear" | "undo" | "snip" | "ask-again" | "reopen" }
  | { readonly step: "wait"; readonly minutes: number };

type PromptStep = Extract<SeenStep, { readonly step: "prompt" }>;

const part = fc.oneof(
  { weight: 5, arbitrary: fc.nat(60) },
  { weight: 2, arbitrary: fc.nat(400) },
  { weight: 1, arbitrary: fc.nat(1_500) },
);

export const seenStep: fc.Arbitrary<SeenStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant("prompt" as const),
      size: part,
      images: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.nat(12) },
        { weight: 1, arbitrary: fc.integer({ min: 18, max: 40 }) },
      ),
      texts: fc.constantFrom(1, 1, 1, 3, 40, 400),
      wideEvery: fc.constantFrom(1, 2, 5, 100),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      step: fc.constant("round" as const),
      sizes: fc.array(part, { minLength: 1, maxLength: 7 }),
      thinks: fc.boolean(),
      said: fc.option(part, { nil: null }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ step: fc.constant("answer" as const), size: part }) },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constantFrom(
        "compact" as const,
        "clear" as const,
        "undo" as const,
        "snip" as const,
        "ask-again" as const,
        "reopen" as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constant("wait" as const), minutes: fc.constantFrom(1, 6, 90) }),
  },
);

export interface SeenMode {
  readonly settings: Settings;
  readonly model?: string;
  /** The model has a tool to recall with: only then is anything compacted that nothing forces. */
  readonly canRecall?: boolean;
  /** Requests may be refused: nothing is there that frees what has been seen. */
  readonly mayBlock?: boolean;
  /** Tokens that the provider counts above our estimate: for the first prompt, and for each image. */
  readonly uncounted?: { readonly first: number; readonly image: number };
}

const windowOf = (contextWindow: number, more: object = {}): Settings => ({
  catalog: { capabilities: { "*": { contextWindow, maxOutput: 4_000, ...more } } },
});

/** Every mode that what is new must come through. */
export const seenModes: Readonly<Record<string, SeenMode>> = {
  "a small window": { settings: windowOf(8_000) },
  "a window of 32,000": { settings: windowOf(32_000) },
  "a window of 200,000": { settings: windowOf(200_000) },
  "early compaction": { settings: { ...windowOf(32_000), economy: "thrifty" }, canRecall: true },
  "early compaction of anything": {
    settings: { ...windowOf(32_000), economy: "thrifty", compaction: { earlyMinTokens: 0 } },
    canRecall: true,
  },
  "a summary prepared ahead": { settings: { ...windowOf(32_000), flags: { "compact-ahead": true } } },
  folding: { settings: { ...windowOf(32_000), flags: { fold: true } } },
  "clearing over a threshold": {
    settings: {
      ...windowOf(32_000),
      flags: { "clear-threshold": true },
      microcompact: { thresholdTokens: 500, thresholdKeep: 0, thresholdMinSavedTokens: 1 },
    },
  },
  "cold clearing of all but one": { settings: { ...windowOf(32_000), microcompact: { coldKeep: 1 } } },
  "cache edits": {
    settings: {
      ...windowOf(32_000, { cacheEdits: true }),
      flags: { "clear-cache-edits": true },
      microcompact: { cacheEditTrigger: 1, cacheEditKeep: 0 },
    },
  },
  "clearing that costs nothing": {
    settings: { ...windowOf(32_000), microcompact: { economicKeep: 0, economicMinBatchTokens: 1 } },
  },
  "bound thinking": {
    model: "claude-opus-5.5",
    settings: windowOf(32_000, { prefixBoundThinking: true, dropsUnboundThinking: false }),
    mayBlock: true,
  },
  "requests sent until one is refused": {
    settings: { ...windowOf(32_000), flags: { "reactive-only": true } },
  },
  "clearing by the server": {
    settings: { ...windowOf(32_000, { contextManagement: true }), flags: { "clear-server": true } },
  },
  "compaction by the server": {
    settings: {
      ...windowOf(200_000, { contextManagement: true, serverCompaction: true }),
      compaction: { native: "server" },
    },
  },
  "compaction by the API on demand": {
    settings: { ...windowOf(32_000, { nativeCompaction: true }), compaction: { native: "on-demand" } },
  },
  "references to what was read before": {
    settings: { ...windowOf(32_000), economy: "thrifty" },
  },
  "no notes": { settings: { ...windowOf(32_000), flags: { "session-notes": false } } },
  "room for few images": {
    settings: windowOf(32_000, { images: { maxCount: 9, many: { count: 4, maxSidePixels: 2_000 } } }),
  },
  "a first prompt and images of many times their estimate": {
    settings: windowOf(32_000),
    uncounted: { first: 12_000, image: 2_700 },
  },
  "no compaction": { settings: { ...windowOf(32_000), autoCompactEnabled: false }, mayBlock: true },
};

/** What a run came to, to tell that the property was not met by sending nothing. */
export interface SeenRun {
  readonly requests: number;
  readonly stored: number;
  readonly compactions: number;
  readonly blocked: number;
}

/** Something that no answered request has had yet. */
type News =
  | { readonly kind: "text"; readonly text: string }
  /** Texts of one message. */
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  | { readonly kind: "result"; readonly id: string; readonly text: string }
  | { readonly kind: "images"; readonly images: readonly ContentBlock[] };

/** What one request may have of images. */
interface ImageRoom {
  readonly maxCount: number;
  readonly many: { readonly count: number; readonly maxSidePixels: number };
}

/** Takes the steps in a session; every request on the way has all that is new, word for word or in the form allowed. */
export async function checkSeen(steps: readonly SeenStep[], mode: SeenMode): Promise<SeenRun> {
  const store = createVirtualStore();
  const clock = createVirtualClock();
  const events: EventBody[] = [];
  const { settings, model = "claude-sonnet-4-5", canRecall = false } = mode;
  const options = {
    store,
    clock,
    id: "one",
    model,
    layers: defaultLayers(),
    settings,
    tools: canRecall ? [{ name: "Recall", input_schema: { type: "object", properties: { id: {} } } }] : [],
    onEvent: (event: EventBody) => void events.push(event),
  };
  let session = await openSession(options);
  const { window, blocking } = session.usage().thresholds;
  const headTokens = session.usage().count.tokens;
  const room: ImageRoom = {
    ...{ maxCount: 100, many: { count: 20, maxSidePixels: 2_000 } },
    ...settings.catalog?.capabilities?.["*"]?.images,
  };
  const chars = (size: number) => Math.round((size / 1_000) * window * 3);
  let number = 0;
  let news: News[] = [];
  /** As the engine counted it when it came, behind a usage; and as it counts it where no usage is left. */
  let newTokens = 0;
  let aloneTokens = 0;
  let hasPast = false;
  const run = { requests: 0, stored: 0, compactions: 0, blocked: 0 };
  const textOf = (size: number, name: string) => {
    number += 1;
    return `${name} ${number} ${"w".repeat(5)} `.padEnd(chars(size), `${name}-${number}-abcdefg `);
  };

  async function addNews(message: MessageInput): Promise<void> {
    const { tokens } = session.usage().count;
    await session.add(message);
    newTokens += session.usage().count.tokens - tokens;
    aloneTokens += measure(message.content as Message["content"]);
  }

  async function say(text: string, count = 0, wideEvery?: number): Promise<void> {
    news.push({ kind: "text", text });
    await sayAll([text], count, wideEvery);
  }

  /** A prompt of many texts; the last one, which asks for something, is often the longest. */
  async function sayInParts({ size, texts: count = 1, images, wideEvery }: PromptStep): Promise<void> {
    if (count === 1) return say(textOf(size, "prompt"), images, wideEvery);
    const texts = Array.from({ length: count }, (_, at) =>
      textOf((size / count) * (at === count - 1 ? 1.3 : 1), "part").padEnd(80, "-"),
    );
    news.push({ kind: "texts", texts });
    await sayAll(texts, images, wideEvery);
  }

  async function sayAll(texts: readonly string[], count: number, wideEvery?: number): Promise<void> {
    const images = Array.from({ length: count }, (_, at) => {
      number += 1;
      const isWide = wideEvery !== undefined && (at + 1) % wideEvery === 0;
      return imageOf(isWide ? 2_500 : 20, 10, number);
    });
    await addNews(user([...texts.map((text) => ({ type: "text", text }) as const), ...images]));
    if (count > 0) news.push({ kind: "images", images });
  }

  /** Whether what is new exceeds the window alone: by the engine's own count, with tools. */
  function exceedsAlone(): boolean {
    const scale = Math.min(1, window / 100_000);
    const beside = hasPast ? besidePast + Math.floor(summaryTokens * scale) : 0;
    const images = newImages(news);
    const sent = Math.max(...expectedImages(images, room).map(({ length }) => length));
    const labels = (images.length - sent) * labelTokens;
    return Math.max(newTokens, aloneTokens + labels) + beside + headTokens + slackTokens >= blocking;
  }

  /** Whether there is a request; all that is new is in it. */
  async function ask(): Promise<boolean> {
    try {
      const before = events.length;
      const { request } = await session.prepare();
      run.requests += 1;
      const fresh = events.slice(before);
      run.compactions += fresh.filter(({ type }) => type === "compaction-end").length;
      const blocks = request.messages.flatMap(({ content }) => content);
      const stored = checkNews(news, blocks, { mayExceed: exceedsAlone(), room });
      run.stored += stored;
      return true;
    } catch (cause) {
      if (!PalimpsestError.isInstance(cause) || cause.code !== "too-large") throw cause;
      expect(mode.mayBlock, cause.message).toBe(true);
      run.blocked += 1;
      return false;
    }
  }

  async function answer(content: readonly ContentBlock[]): Promise<void> {
    const { tokens } = session.usage().count;
    const { first = 0, image = 0 } = mode.uncounted ?? {};
    const uncounted = (hasPast ? 0 : first) + image * newImages(news).length;
    const usage = { input: 10, output: 20, cacheRead: tokens + uncounted, cacheCreation: 50 };
    await session.add(assistant(content, { id: `msg_${number}`, usage }));
    news = [];
    newTokens = content.filter(({ type }) => type === "tool_use").length * callTokens;
    aloneTokens = newTokens;
    hasPast = true;
  }

  await say(textOf(mode.uncounted ? 250 : 1, "first"));
  for (const step of steps) {
    clock.advance(5_000);
    if (step.step === "wait") clock.advance(step.minutes * 60_000);
    else if (step.step === "prompt") await sayInParts(step);
    else if (step.step === "answer") {
      if (news.length === 0) await say(textOf(1, "go"));
      if (await ask()) await answer([{ type: "text", text: textOf(step.size, "answer") }]);
    } else if (step.step === "round") {
      if (news.length === 0) await say(textOf(1, "go"));
      if (!(await ask())) continue;
      const ids = step.sizes.map((_, index) => `toolu_${number}_${index}`);
      const words = { type: "text", text: `calling ${number}` } as const;
      await answer([...(step.thinks ? [think("sig", "hm")] : []), words, ...ids.map((id) => call(id))]);
      for (const [index, id] of ids.entries()) {
        const text = textOf(step.sizes[index] ?? 0, "result");
        await addNews(user([{ type: "tool_result", tool_use_id: id, content: text }]));
        news.push({ kind: "result", id, text });
      }
      if (step.said !== null) await say(textOf(step.said, "aside"));
      await ask();
    } else if (step.step === "ask-again") await ask();
    else if (step.step === "reopen") {
      await session.close();
      session = await openSession({ ...options, resume: true });
    } else await edit(session, step.step);
  }
  await ask();
  await session.close();
  return run;
}

/** What a person does to the view; that there is nothing to do is no failure. */
async function edit(session: Session, what: "compact" | "clear" | "undo" | "snip"): Promise<void> {
  try {
    if (what === "compact") await session.compact();
    else if (what === "clear") await session.clear({ targetTokens: 0 });
    else if (what === "undo") await session.undo();
    else await session.snip();
  } catch (cause) {
    const isRefusal =
      PalimpsestError.isInstance(cause) &&
      ["conflict", "not-found", "too-large", "denied"].includes(cause.code);
    if (!isRefusal) throw cause;
  }
}

const measure = createMeasure();

const maxResultChars = 50_000;
/** What a summary of the past needs beside what is new, as docs/layers/1-tool-results.md says. */
const besidePast = 500;
const summaryTokens = 500;
/** Of a call, and the words before it; and by so much counts of parts and of the whole differ. */
const callTokens = 60;
const slackTokens = 120;
/** Of the line that stands for an image which one request may not have. */
const labelTokens = 75;

/** The images of a request that are new, as they must be: a few of any size, or many small ones. */
function expectedImages(
  images: readonly ContentBlock[],
  { maxCount, many }: ImageRoom,
): readonly ContentBlock[][] {
  const few = images.slice(0, Math.min(many.count, maxCount));
  const small = images.filter((image) => !isWide(image)).slice(0, maxCount);
  if (few.length === small.length) return [few, small];
  return [few.length > small.length ? few : small];
}

const newImages = (news: readonly News[]) => news.flatMap((one) => (one.kind === "images" ? one.images : []));

const isWide = (image: ContentBlock) => (imageFacts(image)?.sidePixels ?? 0) > 2_000;
const dataOf = (image: ContentBlock) =>
  isBlock(image, "image") && image.source.type === "base64" ? image.source.data : "";

/** How many of the news stand there in the form for what is too large. Anything else that is missing fails. */
function checkNews(
  news: readonly News[],
  blocks: readonly ContentBlock[],
  { mayExceed, room }: { readonly mayExceed: boolean; readonly room: ImageRoom },
): number {
  const texts = blocks.flatMap((block) => (isBlock(block, "text") ? [block.text] : []));
  const results = new Map(
    blocks.flatMap((block) => (isBlock(block, "tool_result") ? [[block.tool_use_id, block.content]] : [])),
  );
  const newChars = news.reduce((sum, one) => sum + charsOf(one), 0);
  let stored = 0;
  const positions: number[] = [];
  for (const one of news) {
    if (one.kind === "images") continue;
    if (one.kind === "texts") {
      const isStored = checkEnds(one.texts, texts, positions);
      expect(mayExceed || !isStored, "a part is stored only where the window cannot hold all").toBe(true);
      stored += isStored ? 1 : 0;
      continue;
    }
    const beginning = one.text.slice(0, 40);
    if (one.kind === "text") {
      const at = texts.indexOf(one.text);
      if (at !== -1) positions.push(at);
      if (at !== -1) continue;
      const form = texts.find((text) => storedForm.test(text) && text.includes(beginning));
      expect(form, `“${beginning}” is word for word in the request`).toBeDefined();
      expect(form).toContain(one.text.slice(-40));
      expect(mayExceed, `“${beginning}” is stored only where the window cannot hold it`).toBe(true);
      stored += 1;
    } else {
      const content = results.get(one.id);
      if (content === one.text || texts.some((text) => text.includes(one.text))) continue;
      const form = [String(content), ...texts].find(
        (text) => text.includes("<persisted-output>") && text.includes(beginning),
      );
      expect(form, `the result ${one.id} is word for word in the request`).toBeDefined();
      expect(one.text.length > maxResultChars || newChars > 4 * maxResultChars || mayExceed).toBe(true);
      stored += 1;
    }
  }
  expect(positions, "what was said stands in the order in which it was said").toEqual(
    positions.toSorted((one, other) => one - other),
  );
  checkImages(news, blocks, mayExceed, room);
  return stored;
}

const storedForm = /^<persisted-prompt>|^\[\d+ bytes stored/;

function charsOf(one: News): number {
  if (one.kind === "texts") return one.texts.reduce((sum, text) => sum + text.length, 0);
  return one.kind === "images" ? 0 : one.text.length;
}

/**
 * Of a message of many texts, the first and the last one are there: word for word, or with their beginning and end. Gives
 * whether any is not there word for word.
 */
function checkEnds(all: readonly string[], sent: readonly string[], positions: number[]): boolean {
  const at = all.map((text) => sent.indexOf(text));
  positions.push(...at.filter((position) => position !== -1));
  const forms = sent.filter((text) => storedForm.test(text));
  const [first = "", last = ""] = [all[0], all.at(-1)];
  const isShown = (text: string, end: string) =>
    sent.includes(text) || forms.some((form) => form.includes(end));
  expect(isShown(first, first.slice(0, 40)), `“${first.slice(0, 40)}” can be read in the request`).toBe(true);
  expect(isShown(last, last.slice(-40)), `“${last.slice(-40)}” can be read in the request`).toBe(true);
  return at.includes(-1);
}

/** The very images, in order: as many as the limits allow, and fewer from the end only where the window has no room. */
function checkImages(
  news: readonly News[],
  blocks: readonly ContentBlock[],
  mayExceed: boolean,
  room: ImageRoom,
): void {
  const images = newImages(news);
  const own = new Set(images.map(dataOf));
  const sent = blocks.map(dataOf).filter((data) => own.has(data));
  const allowed = expectedImages(images, room).map((some) => some.map(dataOf));
  const isWhole = (some: readonly string[]) => some.join() === sent.join();
  const isBeginning = (some: readonly string[]) => some.slice(0, sent.length).join() === sent.join();
  const named = sent.map((data) => images.findIndex((image) => dataOf(image) === data));
  const isRight = allowed.some(isWhole) || (mayExceed && allowed.some(isBeginning));
  expect(isRight, `of ${images.length} new images these are sent, in this order: ${named.join()}`).toBe(true);
}
