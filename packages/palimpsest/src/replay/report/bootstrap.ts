export type Interval = readonly [number, number];

const rounds = 1_000;

/**
 * A 95 % interval of a statistic over sessions, which are drawn with replacement; always by the same draws for the same
 * number of sessions, so that policies are compared on the same ones. `null` where the statistic has no value.
 */
export function bootstrap<T>(
  sessions: readonly T[],
  statistic: (drawn: readonly T[]) => number | null,
): Interval | null {
  const draw = createDraws();
  const values: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const value = statistic(sessions.map(() => sessions[Math.floor(draw() * sessions.length)] as T));
    if (value !== null && Number.isFinite(value)) values.push(value);
  }
  if (values.length === 0) return null;
  values.sort((one, other) => one - other);
  const at = (part: number) => values[Math.floor(part * (values.length - 1))] as number;
  return [at(0.025), at(0.975)];
}

function createDraws(): () => number {
  let state = 1;
  return () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return (state >>> 0) / 2 ** 32;
  };
}
