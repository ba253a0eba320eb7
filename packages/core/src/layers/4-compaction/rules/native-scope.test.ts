import { describe, expect, it } from "vitest";
import { addRound, answered, createTestLog, said } from "../../../../../../test/layers/compaction-support.ts";
import { createMeasure } from "../../../view/tokens/measure.ts";
import { nativeScope } from "../native-rung.ts";

const measure = createMeasure();

describe("what the API can compact", () => {
  it("is everything where the last turn is finished", () => {
    const log = createTestLog();
    log.say(said("One."));
    log.say(answered("Done."));
    expect(nativeScope(log.view().items, measure)).toEqual({ upToSeq: 2, covered: 2 });
  });

  it("leaves a prompt that was not answered yet", () => {
    const log = createTestLog();
    log.say(said("One."));
    log.say(answered("Done."));
    log.say(said("Two."));
    expect(nativeScope(log.view().items, measure)).toMatchObject({
      upToSeq: 2,
      covered: 2,
      tail: { position: 2, segment: { head: "e3", tail: "e3", anchor: "summary" } },
    });
  });

  it("leaves a turn in the middle of its calls whole", () => {
    const log = createTestLog();
    log.say(said("One."));
    addRound(log, "t1");
    log.say(answered("Done."));
    log.say(said("Two."));
    addRound(log, "t2");
    addRound(log, "t3");
    expect(nativeScope(log.view().items, measure)).toMatchObject({
      upToSeq: 4,
      tail: { segment: { headSeq: 5, tailSeq: 9 } },
    });
  });

  it("is nothing while the first turn goes on", () => {
    const log = createTestLog();
    expect(nativeScope(log.view().items, measure)).toBeNull();
    log.say(said("One."));
    expect(nativeScope(log.view().items, measure)).toBeNull();
    addRound(log, "t1");
    expect(nativeScope(log.view().items, measure)).toBeNull();
  });
});
