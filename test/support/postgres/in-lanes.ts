/** Does `count` pieces of work by their number, so many at a time; the first failure ends it. Gives the sum of what each gives. */
export async function inLanes(
  { count, lanes }: { readonly count: number; readonly lanes: number },
  work: (at: number) => Promise<number>,
): Promise<number> {
  let next = 0;
  let sum = 0;
  async function lane(): Promise<void> {
    while (next < count) {
      const at = next;
      next += 1;
      try {
        const given = await work(at);
        sum += given;
      } catch (cause) {
        next = count;
        throw cause;
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return sum;
}
