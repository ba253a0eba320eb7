import { expect } from "vitest";

const minutes = Number(process.env.PALIMPSEST_SLOW_MINUTES ?? 20);

export interface Reach {
  readonly name: string;
  /** The suite fails below this. */
  readonly minimum: number;
  /** Enough: stops here even if there is time left. */
  readonly plenty: number;
  /** Its part of the time given to all suites. */
  readonly share: number;
}

/** Below its minimum a suite may take so many times its share: another one runs beside it, on the same cores. */
const patience = 3;

/** Repeats `step` until its share of the time is used up or there were plenty; prints how far it came. */
export async function reach(
  { name, minimum, plenty, share }: Reach,
  step: (done: number) => Promise<number | undefined>,
): Promise<void> {
  const started = performance.now();
  const shareMs = minutes * share * 60_000;
  let done = 0;
  const isInTime = () =>
    performance.now() - started < shareMs * (done < minimum ? patience : 1) || done === 0;
  while (done < plenty && isInTime()) done += (await step(done)) ?? 1;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${name}: reached ${done.toLocaleString("en")} in ${seconds} s (minimum ${minimum.toLocaleString("en")})`,
  );
  expect(done, `${name}: too few in ${seconds} s`).toBeGreaterThanOrEqual(minimum);
}
