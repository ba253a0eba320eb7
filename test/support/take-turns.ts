import type { Disk, DiskFile } from "../../packages/core/src/spec/index.ts";
import type { SeededRandom } from "../../packages/testing/src/seeded-random.ts";

/**
 * Runs several processes over one disk, one disk operation at a time, in an order chosen by chance: one of them runs
 * for a while, the others stand where they are.
 */
export interface Turns {
  /** The disk as one process sees it: every call waits for its turn. */
  over(disk: Disk): Disk;
  /** Gives turns until all work is done. */
  run(work: readonly Promise<unknown>[]): Promise<void>;
}

const maxMeanTurns = 40;

/** `beforeEach` runs before every turn, for what happens behind the processes' backs. */
export function createTurns(random: SeededRandom, beforeEach: () => void = () => undefined): Turns {
  const waiting: { readonly process: number; go(): void }[] = [];
  let processes = 0;
  let favourite = 0;
  /** How many operations a process does in a row. */
  const meanTurns = 1 + random.below(maxMeanTurns);

  function inTurns<T extends object>(target: T, process: number): T {
    const turn = () => new Promise<void>((go) => waiting.push({ process, go }));
    return new Proxy(target, {
      get(object, name) {
        const member = Reflect.get(object, name) as unknown;
        if (typeof member !== "function") return member;
        return async (...given: unknown[]) => {
          await turn();
          const result = await (member as (...given: unknown[]) => Promise<unknown>).apply(object, given);
          return name === "open" ? inTurnsWhenOpen(result, process) : result;
        };
      },
    });
  }

  function inTurnsWhenOpen(result: unknown, process: number): unknown {
    const opened = result as { readonly ok: boolean; readonly value: DiskFile };
    return opened.ok ? { ok: true, value: inTurns(opened.value, process) } : opened;
  }

  function next(): void {
    if (random.below(meanTurns) === 0) favourite = random.below(processes);
    const index = waiting.findIndex(({ process }) => process === favourite);
    const chosen = index === -1 ? random.below(waiting.length) : index;
    waiting.splice(chosen, 1)[0]?.go();
  }

  return {
    over(disk) {
      processes += 1;
      return inTurns(disk, processes - 1);
    },
    async run(work) {
      let isDone = false;
      const all = Promise.all(work).finally(() => {
        isDone = true;
      });
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (isDone) break;
        beforeEach();
        next();
      }
      await all;
    },
  };
}
