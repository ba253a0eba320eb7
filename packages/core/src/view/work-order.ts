import { fail, ok, type Result, type WorkKind, type WorkOrder } from "../spec/index.ts";

export const workKinds: readonly WorkKind[] = ["extraction", "dream"];

/** How often work is tried that fails. */
export const workAttempts = 8;

/** The key of an order: `project/session/kind`. */
export function workKey({ kind, project, session }: Pick<WorkOrder, "kind" | "project" | "session">): string {
  return [project, ...(session === undefined ? [] : [session]), kind].join("/");
}

/** Orders with the same one are done one after another. */
export function workQueue({ project, session }: Pick<WorkOrder, "project" | "session">): string {
  return session === undefined ? project : `${project}/${session}`;
}

/** The project and the session of a queue's name. Sessions may have slashes in them, projects have none. */
export function parseQueue(name: string): Pick<WorkOrder, "project" | "session"> {
  const [project = "", ...session] = name.split("/");
  return session.length === 0 ? { project } : { project, session: session.join("/") };
}

const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const plainSession = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;
const maxChars = 400;

/** Whether an order names things that can be queued. */
export function checkOrder({ kind, project, session }: WorkOrder): Result<void> {
  const wrong =
    !workKinds.includes(kind) ||
    !plainName.test(project) ||
    (session !== undefined && !plainSession.test(session)) ||
    (kind === "extraction" && session === undefined) ||
    `${project}/${session ?? ""}`.length > maxChars;
  if (!wrong) return ok();
  return fail("invalid-input", "This is not a job that can be queued.", {
    fix: `Name one of ${workKinds.join(", ")}, the project's slug, and for an extraction its session.`,
    facts: { kind, project, session },
  });
}
