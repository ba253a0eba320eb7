/** A session's name without endings of files; of a long id its beginning. */
export function shortName(name) {
  const stem = name.replace(/\.jsonl?(\.gz)?$/, "");
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(stem) ? stem.slice(0, 8) : stem.slice(0, 28);
}
