import { type ErrorCode, fail, type Result } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";

interface Meaning {
  readonly code: ErrorCode;
  readonly says: string;
  readonly fix: string;
}

const noSpace: Meaning = {
  code: "disk-full",
  says: "no space is left",
  fix: "Tell the user; nothing was changed.",
};
const notRegular: Meaning = {
  code: "invalid-path",
  says: "it is not a regular file",
  fix: "Name a regular file.",
};
const denied: Meaning = {
  code: "permission",
  says: "the system denies access",
  fix: "Ask the user for access, or use another file.",
};

const meanings: Readonly<Record<string, Meaning>> = {
  ENOENT: { code: "not-found", says: "it does not exist", fix: "Check the path, or find it with Glob." },
  EACCES: denied,
  EPERM: denied,
  EROFS: { code: "permission", says: "the file system is read-only", fix: "Write somewhere else." },
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EFBIG: noSpace,
  EISDIR: { code: "is-directory", says: "it is a folder", fix: "Name a file, or list it with Glob." },
  ENOTDIR: {
    code: "not-directory",
    says: "a part of the path is not a folder",
    fix: "Check the path, or find it with Glob.",
  },
  EEXIST: { code: "exists", says: "it exists already", fix: "Read it first, or choose another name." },
  ELOOP: {
    code: "invalid-path",
    says: "it is a symbolic link that changed meanwhile, or leads in a circle",
    fix: "Name the file itself.",
  },
  ENOTREG: notRegular,
  ENXIO: notRegular,
  ENAMETOOLONG: { code: "invalid-path", says: "the name is too long", fix: "Use a shorter name." },
};

/** Turns what a call of the file system threw into a failure that says what was tried, on what, and what to do. */
export function fileFailure(what: string, path: string, cause: unknown): Result<never> {
  const errno = (cause as { readonly code?: string } | null)?.code ?? "unknown";
  const { code, says, fix } = meanings[errno] ?? {
    code: "io" as const,
    says: `the system answered ${errno}`,
    fix: "Try again once; if it fails again, tell the user.",
  };
  return fail(code, `Could not ${what} ${showPath(path)}: ${says}.`, { path, fix, cause, facts: { errno } });
}
