import { createHash } from "node:crypto";
import { fail, ok, type Result } from "../../spec/index.ts";

/** Names that may become file names as they are. Everything else is refused or hashed. */
const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Where everything of one project lives. Folders are 0700, files 0600. */
export interface Layout {
  readonly root: string;
  readonly sessions: string;
  /** `<id>`, or `<id>/<fork>` for a fork's own log inside its parent's folder. */
  log(session: string): Result<string>;
  lease(name: string): Result<string>;
  tombstone(session: string): Result<string>;
  blobs(session: string): Result<string>;
  toolResults(session: string): Result<string>;
  tree(name: string): Result<string>;
}

const projectPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Whether a project may have this name: no folder outside of the data root has. */
export function isProjectName(name: string): boolean {
  return projectPattern.test(name);
}

/** `home` is the data root, `project` the project's slug. */
export function createLayout(home: string, project: string): Layout {
  const root = `${home}/projects/${project}`;
  const sessions = `${root}/sessions`;
  const within = (folder: string, suffix: string) => (session: string) => {
    const name = sessionFileName(session);
    return name.ok ? ok(`${folder}/${name.value}${suffix}`) : name;
  };
  return {
    root,
    sessions,
    log: within(sessions, ".jsonl"),
    lease: within(sessions, ".lease"),
    tombstone: within(sessions, ".tombstone.json"),
    blobs: within(`${root}/blobs`, ""),
    toolResults: within(`${root}/tool-results`, ""),
    tree: (name) =>
      safeName.test(name)
        ? ok(`${root}/${name}`)
        : fail("invalid-path", `“${name}” cannot name a tree.`, { path: name }),
  };
}

/** The folder of a session's forks; no session's own name may look like one. */
const forksSuffix = ".agents";

/** `a` → `a`; `a/b` → `a.agents/b`; a failure for what names no session, in whatever store. */
export function sessionFileName(session: string): Result<string> {
  const parts = session.split("/");
  const isName = (part: string) => safeName.test(part) && !part.endsWith(forksSuffix);
  if (parts.length <= 2 && parts.every(isName)) return ok(parts.join(`${forksSuffix}/`));
  return fail("invalid-input", `“${session}” is not a session id.`, {
    path: session,
    fix: "Use letters, digits, dots, dashes and underscores, at most 128 of them; a fork is <session>/<fork>.",
  });
}

/** A short extension that says what is in a file. */
const extension = /\.[a-z0-9]{1,8}$/;

/** A file name for any id: itself if it is harmless, else its hash and the id's extension. */
export function toFileName(id: string): string {
  if (safeName.test(id)) return id;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 32);
  return `sha256-${hash}${extension.exec(id)?.[0] ?? ""}`;
}
