import { expect } from "vitest";
import type { Durability } from "../../packages/core/src/spec/index.ts";
import { openFileStore } from "../../packages/core/src/stores/files/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createSeededRandom } from "../../packages/testing/src/seeded-random.ts";
import { startChild } from "./child.ts";

export interface KillTally {
  readonly kills: number;
  readonly acknowledged: number;
  readonly torn: number;
}

/**
 * Lets a process append to one session and kills it at a random moment, again and again. After every kill, all that
 * was ever acknowledged must be there, in order; the next process mends what the former tore.
 */
export async function killAppends(
  home: string,
  durability: Durability,
  seed: number,
  resumeFrom: (kills: number) => boolean,
): Promise<KillTally> {
  const random = createSeededRandom(seed);
  const { logs } = must(await openFileStore({ home, project: "test-00000000" }));
  const acknowledged: string[] = [];
  let torn = 0;
  let kills = 0;
  for (; resumeFrom(kills); kills += 1) {
    // A fresh session now and then keeps the log, and so the test, small.
    const session = `killed-${Math.floor(kills / 20)}`;
    if (kills % 20 === 0) acknowledged.length = 0;
    const child = startChild("log-writer.mjs", [home, session, durability, String(seed + kills)]);
    await child.printed(1 + random.below(60));
    await child.kill();
    for (const line of child.lines()) {
      const [word, id] = line.split(" ");
      expect(word, line).not.toBe("failed");
      if (word !== "open" && id) acknowledged.push(id);
    }
    const found: string[] = [];
    const report = must(
      await logs.scan(session, (entry) => {
        if (entry.kind === "message") found.push(entry.id);
      }),
    );
    expect(report.corruptLines, `seed ${seed}, kill ${kills}`).toBe(0);
    if (report.tornBytes > 0) torn += 1;
    const present = new Set(found);
    expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
    acknowledged.length = 0;
    acknowledged.push(...found);
  }
  return { kills, acknowledged: acknowledged.length, torn };
}
