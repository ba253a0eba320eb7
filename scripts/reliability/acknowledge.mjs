import { writeSync } from "node:fs";

/** Written before anything else happens: what was said is said, whatever becomes of this process. */
export function acknowledge(...words) {
  writeSync(1, `${words.join(" ")}\n`);
}

/** Ends this process with a line that says why, which the parent does not take for an acknowledgement. */
export function stop(error) {
  acknowledge("failed", error?.code ?? "thrown", JSON.stringify(error?.message ?? String(error)));
  process.exit(3);
}

export function must(result) {
  return result.ok ? result.value : stop(result.error);
}
