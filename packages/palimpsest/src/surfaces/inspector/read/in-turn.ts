/** Runs what is asked for one after the other; a call that comes while one waits shares its answer. */
export function inTurn<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<unknown> | null = null;
  let next: Promise<Answer> | null = null;

  async function run(before: Promise<unknown> | null): Promise<Answer> {
    await before?.catch(() => undefined);
    next = null;
    const now = work();
    running = now;
    try {
      return await now;
    } finally {
      if (running === now) running = null;
    }
  }

  return () => {
    next ??= run(running);
    return next;
  };
}
