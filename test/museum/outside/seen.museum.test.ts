import { type ContentBlock, openSession, type Session, type SessionOptions } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder } from "./subject.ts";

interface NewestPrompts {
  readonly model: string;
  readonly images: number;
  /** A small PNG, in base64. */
  readonly image: string;
  /** So many images of this width are more than a few, and too wide for many. */
  readonly wideImages: number;
  readonly wideSidePixels: number;
  readonly ask: string;
  readonly line: string;
  readonly longChars: number;
  readonly firstMessageChars: number;
  /** So many responses, so far apart, that many more requests are expected. */
  readonly learnedResponses: number;
  readonly secondsBetween: number;
}

const given = readJsonFixture<NewestPrompts>("42-newest-prompts.json");

async function open(home: string, id: string, more: Partial<SessionOptions> = {}): Promise<Session> {
  const model = anthropic(given.model, { environment: {} });
  const session = await openSession({ home, cwd: home, id, model, system: "You are careful.", ...more });
  onTestFinished(() => session.close());
  return session;
}

const textOf = (chars: number) => given.line.repeat(Math.ceil(chars / given.line.length)).slice(0, chars);

/** Every block of the next request, in order. */
async function blocksOf(session: Session): Promise<readonly ContentBlock[]> {
  const { request } = await session.prepare();
  return request.messages.flatMap(({ content }) => content);
}

const textsIn = (blocks: readonly ContentBlock[]) =>
  blocks.flatMap((block) => ("text" in block ? [block.text] : []));

it("42: seventy images of a first prompt are all sent, in order", async () => {
  const session = await open(await temporaryFolder(), "images");
  const source = { type: "base64", media_type: "image/png", data: given.image } as const;
  const images = Array.from({ length: given.images }, () => ({ type: "image", source }) as const);
  await session.add({ role: "user", content: [{ type: "text", text: given.ask }, ...images] });
  const blocks = await blocksOf(session);
  expect(blocks.map(({ type }) => type)).toEqual(["text", ...images.map(({ type }) => type)]);
});

it("42: a prompt of 520,000 characters that fits the window is sent word for word", async () => {
  const session = await open(await temporaryFolder(), "long");
  const text = `${textOf(given.longChars - given.ask.length)}${given.ask}`;
  await session.add({ role: "user", content: text });
  expect(textsIn(await blocksOf(session))).toEqual([text]);
});

it("42: a first message is not summarised, however many requests are expected", async () => {
  const home = await temporaryFolder();
  const earlier = await open(home, "earlier");
  await earlier.add({ role: "user", content: "Begin." });
  for (let number = 0; number < given.learnedResponses; number += 1) {
    const at = Date.UTC(2026, 0, 1) + number * given.secondsBetween * 1000;
    const usage = { input: 10, output: 2, cacheRead: 1000 + number * 8, cacheCreation: 8 };
    await earlier.add({ role: "assistant", id: `msg_${number}`, content: "Well.", at, usage });
    await earlier.add({ role: "user", content: "Go on.", at });
  }
  await earlier.close();
  // The flag that 0.1.0 knows, which asks for the mode of today; that acts for a model that can recall.
  const settings = { flags: { "compact-early": true } } as SessionOptions["settings"];
  const input_schema = { type: "object", properties: { id: { type: "string" } } } as const;
  const session = await open(home, "first", { settings, tools: [{ name: "Recall", input_schema }] });
  const text = `${textOf(given.firstMessageChars)}${given.ask}`;
  await session.add({ role: "user", content: text });
  expect(textsIn(await blocksOf(session))).toEqual([text]);
});

it("42: of twenty-one wide images the API's twenty are sent, in order, and the last is named by an id", async () => {
  const session = await open(await temporaryFolder(), "wide");
  const images = Array.from({ length: given.wideImages }, () => wideImage(given.wideSidePixels));
  await session.add({ role: "user", content: [{ type: "text", text: given.ask }, ...images] });
  const [ask, ...rest] = await blocksOf(session);
  expect(textsIn([ask as ContentBlock])).toEqual([given.ask]);
  expect(rest.map(({ type }) => type)).toEqual([...Array.from({ length: 20 }, () => "image"), "text"]);
  expect(textsIn(rest)).toEqual([expect.stringMatching(/^\[An image was here: .* · .+\]$/)]);
});

/** A PNG of this width and a few lines, of which there is only the header. */
function wideImage(width: number): ContentBlock {
  const data = Buffer.alloc(64);
  data.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  data.writeUInt32BE(width, 16);
  data.writeUInt32BE(20, 20);
  return {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: data.toString("base64") },
  };
}
