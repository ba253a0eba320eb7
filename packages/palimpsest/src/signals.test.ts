import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { createLinkedSignal, orAborted } from "./signals.ts";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

describe("a linked signal", () => {
  it("is aborted by any of the others, and lets go of all of them", () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const linked = createLinkedSignal([one.signal, undefined, null, other.signal]);
    expect([linked.signal.aborted, listeners(one.signal), listeners(other.signal)]).toEqual([false, 1, 1]);
    other.abort();
    expect([linked.signal.aborted, listeners(one.signal), listeners(other.signal)]).toEqual([true, 0, 0]);
  });

  it("is aborted from the beginning where one of them is", () => {
    const { signal } = new AbortController();
    expect(createLinkedSignal([signal, AbortSignal.abort()]).signal.aborted).toBe(true);
    expect(listeners(signal)).toBe(0);
  });

  it("takes any object that has a signal's functions, and passes over what is none", () => {
    const strange = [{}, { addEventListener: null }, "x", 7] as unknown as AbortSignal[];
    expect(createLinkedSignal(strange).signal.aborted).toBe(false);
    const foreign = Object.assign(new EventTarget(), { aborted: true }) as unknown as AbortSignal;
    expect(createLinkedSignal([foreign]).signal.aborted).toBe(true);
  });

  it("is aborted by itself", () => {
    const { signal } = new AbortController();
    const linked = createLinkedSignal([signal]);
    linked.abort();
    expect([linked.signal.aborted, signal.aborted, listeners(signal)]).toEqual([true, false, 0]);
  });

  it("hears nothing once it is unlinked", () => {
    const one = new AbortController();
    const linked = createLinkedSignal([one.signal]);
    linked.unlink();
    one.abort();
    expect(linked.signal.aborted).toBe(false);
  });
});

describe("orAborted", () => {
  it("gives what the work gives, and leaves nothing in the signal", async () => {
    const { signal } = new AbortController();
    expect(await orAborted(Promise.resolve(5), signal)).toBe(5);
    await expect(orAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
    expect(listeners(signal)).toBe(0);
  });

  it("does not wait for work once it is aborted, whatever becomes of it", async () => {
    const stop = new AbortController();
    let refuse: (cause: Error) => void = () => {};
    const work = new Promise<number>((_resolve, reject) => {
      refuse = reject;
    });
    const given = orAborted(work, stop.signal);
    stop.abort();
    expect(await given).toBeUndefined();
    refuse(new Error("too late"));
    expect(await orAborted(Promise.resolve(5), stop.signal)).toBeUndefined();
    expect(listeners(stop.signal)).toBe(0);
  });
});
