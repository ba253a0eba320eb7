/** How long things take in the sample: drawn from a fixed sequence, so that every run of the script agrees. */
export function createPace(seed) {
  let state = seed >>> 0;

  /** Between 0 and 1 (mulberry32). */
  function draw() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const between = (least, most) => Math.round(least + draw() * (most - least));
  return {
    between,
    responseMs: (outputTokens) => between(1400, 3200) + Math.round((outputTokens / between(58, 82)) * 1000),
    toolMs: (tool) => (tool === "Bash" ? between(180, 900) : between(9, 70)),
  };
}

/** The same small number for the same text. */
export function numberFor(text, least, most) {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  return least + ((hash >>> 0) % (most - least + 1));
}
