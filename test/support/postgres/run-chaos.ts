import { createSeededRandom } from "../../../packages/testing/src/seeded-random.ts";
import { type ChaosWorkers, startChaosWorkers } from "./chaos-workers.ts";
import { type ChaosWorld, startChaosWorld } from "./chaos-world.ts";
import type { ChaosHistory, ChaosRecord } from "./find-chaos-problems.ts";

/** How often each thing has happened. */
export interface ChaosReach {
  readonly cuts: number;
  readonly lostAnswers: number;
  readonly restarts: number;
  readonly kills: number;
  readonly agedLeases: number;
  readonly appends: number;
  readonly takeOvers: number;
  readonly versions: number;
  readonly mails: number;
  readonly jobs: number;
}

export interface ChaosOptions {
  readonly folder: string;
  readonly seed: number;
  readonly workers: number;
  readonly sessions: number;
  readonly ms: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets workers do all they can on one server while everything between and behind them fails; then looks at what is there. */
export async function runChaos(
  options: ChaosOptions,
): Promise<{ readonly reach: ChaosReach; readonly history: ChaosHistory }> {
  const { folder, seed, sessions } = options;
  const world = await startChaosWorld();
  try {
    const order = { ...world.places, url: world.proxy.url, sessions };
    const workers = startChaosWorkers(options.workers, { folder, seed, order });
    const counts = await disturb(world, workers, options);
    await workers.finish();
    const rest = await world.drain(workers.hosts);
    const told = await workers.records();
    const history = { records: [...told, ...rest], ...(await world.stored()) };
    return { reach: { ...counts, ...countTold(told) }, history };
  } finally {
    await world.stop();
  }
}

type Disturbances = Pick<ChaosReach, "cuts" | "lostAnswers" | "restarts" | "kills" | "agedLeases">;

async function disturb(
  { proxy, server, ageLeases }: ChaosWorld,
  workers: ChaosWorkers,
  { seed, ms }: ChaosOptions,
): Promise<Disturbances> {
  const random = createSeededRandom(seed);
  const counts = { cuts: 0, lostAnswers: 0, restarts: 0, kills: 0, agedLeases: 0 };

  async function takeServerAway(): Promise<void> {
    counts.restarts += 1;
    const how = random.below(4);
    if (how === 0) return server.restart();
    if (how === 1) {
      await server.crash();
      await pause(random.below(1_500));
      return server.start();
    }
    if (how === 2) {
      await server.move();
      return proxy.lead(server.url);
    }
    proxy.setRefusing(true);
    proxy.cut();
    await pause(random.below(1_500));
    proxy.setRefusing(false);
  }

  const endMs = performance.now() + ms;
  while (performance.now() < endMs) {
    await pause(50 + random.below(500));
    const what = random.below(20);
    if (what < 6) {
      proxy.cut();
      counts.cuts += 1;
    } else if (what < 10) {
      const lost = 1 + random.below(4);
      proxy.loseAnswers(lost);
      counts.lostAnswers += lost;
    } else if (what < 15) counts.agedLeases += await ageLeases(0.7);
    else if (what < 18) {
      await workers.replace(random.below(workers.hosts.length));
      counts.kills += 1;
    } else await takeServerAway();
  }
  proxy.loseAnswers(0);
  return counts;
}

function countTold(records: readonly ChaosRecord[]): Omit<ChaosReach, keyof Disturbances> {
  const count = (kind: ChaosRecord["kind"]) => records.filter((record) => record.kind === kind).length;
  const fenced = records.filter(
    (record) => record.kind === "refusal" && record.what === "append" && record.code === "fenced",
  );
  return {
    appends: count("entry"),
    takeOvers: fenced.length,
    versions: count("version"),
    mails: count("sent"),
    jobs: count("queued"),
  };
}
