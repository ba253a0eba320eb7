import { describe, expect, it } from "vitest";
import { createChannel } from "./create-loop.ts";

async function readAll<T>(channel: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const value of channel) all.push(value);
  return all;
}

describe("a channel", () => {
  it("gives what was pushed before anybody reads, in order, and then ends", async () => {
    const channel = createChannel<number>();
    channel.push(1);
    channel.push(2);
    channel.end();
    expect(await readAll(channel)).toEqual([1, 2]);
  });

  it("gives what comes while somebody waits", async () => {
    const channel = createChannel<number>();
    const reading = readAll(channel);
    await Promise.resolve();
    channel.push(1);
    await Promise.resolve();
    channel.push(2);
    channel.push(3);
    await Promise.resolve();
    channel.end();
    expect(await reading).toEqual([1, 2, 3]);
  });

  it("ends for who waits", async () => {
    const channel = createChannel<number>();
    const reading = readAll(channel);
    await Promise.resolve();
    channel.end();
    expect(await reading).toEqual([]);
  });

  it("drops what comes behind its end, even before that was read", async () => {
    const channel = createChannel<number>();
    channel.push(1);
    channel.end();
    channel.push(2);
    expect(await readAll(channel)).toEqual([1]);
    channel.push(3);
    expect(await readAll(channel)).toEqual([]);
  });
});
