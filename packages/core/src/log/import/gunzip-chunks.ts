import { createGunzip } from "node:zlib";

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** The same bytes go in at the same steps however the source is cut, so damage always gives the same result. */
const stepBytes = 4096;

/**
 * What a gzip holds, members one after another included. Never throws: a cut or broken gzip gives what stands before
 * the damage (all of it when cut; when broken, up to one step may be missing), then `onDamage` is told and it ends.
 */
export async function* gunzipChunks(
  source: AsyncIterable<Uint8Array>,
  onDamage: (reason: string) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip();
  let output: Uint8Array[] = [];
  let damage: Error | undefined;
  gunzip.on("data", (chunk: Uint8Array) => output.push(chunk));
  gunzip.on("error", (error) => {
    damage = error;
  });
  // Zero bytes behind the last member end the readable side alone: the pending write is then never called back.
  const done = new Promise<"done">((resolve) => {
    gunzip.once("end", () => resolve("done"));
    gunzip.once("close", () => resolve("done"));
  });
  try {
    for await (const step of inSteps(source)) {
      const written = new Promise<"done" | "more">((resolve) =>
        gunzip.write(step, (error) => resolve(error ? "done" : "more")),
      );
      const state = await Promise.race([done, written]);
      yield* output;
      output = [];
      if (state === "done") break;
    }
    if (gunzip.writable) gunzip.end();
    await done;
    yield* output;
    if (damage !== undefined) onDamage(damage.message);
  } finally {
    gunzip.destroy();
  }
}

async function* inSteps(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (; start + stepBytes <= bytes.length; start += stepBytes) {
      yield bytes.subarray(start, start + stepBytes);
    }
    rest = Buffer.from(bytes.subarray(start));
  }
  if (rest.length > 0) yield rest;
}
