import type { PalimpsestError, Result } from "@palimpsest/core/spec";

/** One thing that was looked at. `notice`: worth knowing, and nothing is broken. */
export interface Check {
  readonly name: string;
  readonly state: "good" | "notice" | "wrong";
  readonly message: string;
  readonly fix?: string;
}

export const good = (name: string, message: string): Check => ({ name, state: "good", message });

export function wrong(name: string, { message, fix }: Pick<PalimpsestError, "message" | "fix">): Check {
  return { name, state: "wrong", message, ...(fix !== undefined && { fix }) };
}

/** What a result says, or what is wrong with it. */
export function checkOf<T>(name: string, result: Result<T>, say: (value: T) => Check): Check {
  return result.ok ? say(result.value) : wrong(name, result.error);
}
