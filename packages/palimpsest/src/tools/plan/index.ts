import { dirname } from "node:path";
import { type Disk, type Ids, ok, type Result, type Tool } from "@palimpsest/core/spec";

export interface PlanToolOptions {
  readonly disk: Disk;
  readonly ids: Ids;
  /** Where a session's plan is written: absolute, and nothing else's place. */
  readonly planFile: (session: string) => string;
}

/**
 * Leaves plan mode with a plan. Permission for the call is the person's approval of the plan: it runs only then, so it
 * must never be allowed by a mode. The plan is written first; the mode changes only where that succeeded.
 */
export function createExitPlanModeTool({ disk, ids, planFile }: PlanToolOptions): Tool {
  return {
    name: "ExitPlanMode",
    description:
      "Shows the person your plan and asks for approval. Call it in plan mode, when the plan is complete; once it is approved, plan mode ends and you carry the plan out. Do not call it for questions or research.",
    input_schema: {
      type: "object",
      properties: {
        plan: {
          type: "string",
          minLength: 1,
          maxLength: 100_000,
          description: "The whole plan, as Markdown.",
        },
      },
      required: ["plan"],
      additionalProperties: false,
    },
    async run(input, { mode, session }) {
      if (mode !== "plan") {
        return {
          content: "Plan mode is not on: there is nothing to leave. Go on with the work.",
          isError: true,
        };
      }
      const { plan } = input as { readonly plan: string };
      const path = planFile(session.id);
      const written = await writeFile(disk, path, `${path}.${ids.next("new")}`, plan);
      if (!written.ok) {
        return {
          content:
            `The plan is approved but could not be saved, so plan mode stays on. ${written.error.message} ${written.error.fix ?? ""}`.trim(),
          isError: true,
        };
      }
      return {
        content: `The plan is approved, and plan mode is off. Carry it out now.\nThe plan is saved in: ${path}`,
        mode: "default",
      };
    },
  };
}

/** The whole file or nothing: written beside its place and then put there. */
async function writeFile(disk: Disk, path: string, temporary: string, text: string): Promise<Result<void>> {
  const made = await disk.makeDirectory(dirname(path));
  if (!made.ok) return made;
  const opened = await disk.open(temporary, "create");
  if (!opened.ok) return opened;
  const appended = await opened.value.append(
    new TextEncoder().encode(text.endsWith("\n") ? text : `${text}\n`),
  );
  const closed = await opened.value.close();
  const renamed = appended.ok && closed.ok ? await disk.rename(temporary, path) : ok();
  const failed = [appended, closed, renamed].find((result) => !result.ok);
  if (failed) await disk.remove(temporary);
  return failed ?? ok();
}
