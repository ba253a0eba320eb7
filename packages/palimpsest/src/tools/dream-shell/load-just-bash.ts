import { fail, ok, type Result } from "@palimpsest/core/spec";
import { absent } from "../../optional-import.ts";

const importJustBash = async () => {
  const { Bash, InMemoryFs, MountableFs, OverlayFs, parse } = await import("just-bash").catch(absent);
  return { Bash, InMemoryFs, MountableFs, OverlayFs, parse };
};

/** The parts of just-bash that are used. */
export type JustBash = Awaited<ReturnType<typeof importJustBash>>;

/** Loads the shell, which is an optional peer: nobody pays for it whose dreams need no model. */
export async function loadJustBash(
  load: () => Promise<JustBash> = importJustBash,
): Promise<Result<JustBash>> {
  try {
    return ok(await load());
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    const what = isAbsent ? "is not installed" : `cannot be loaded: ${String(cause)}`;
    return fail("not-found", `The shell of a model that dreams is the package just-bash, which ${what}.`, {
      fix: "Run “npm install just-bash”, or let the scribe dream.",
      cause,
    });
  }
}
