import { type ErrorCode, PalimpsestError, type Result } from "../../../spec/index.ts";

interface Meaning {
  readonly code: ErrorCode;
  readonly says: string;
  readonly fix: string;
}

const meanings: Readonly<Record<string, Meaning>> = {
  ENOENT: { code: "not-found", says: "it does not exist", fix: "Check the path." },
  EACCES: { code: "permission", says: "permission denied", fix: "Check who owns it and its mode." },
  EPERM: { code: "permission", says: "not permitted", fix: "Check who owns it and its mode." },
  EROFS: { code: "permission", says: "the file system is read-only", fix: "Use a writable PALIMPSEST_HOME." },
  ENOSPC: {
    code: "disk-full",
    says: "no space is left",
    fix: "Free some space and try again; nothing acknowledged is lost.",
  },
  EDQUOT: {
    code: "disk-full",
    says: "the quota is used up",
    fix: "Free some space and try again; nothing acknowledged is lost.",
  },
  EFBIG: {
    code: "disk-full",
    says: "the file may not grow further",
    fix: "Start a new session, or raise the file size limit.",
  },
  EISDIR: { code: "is-directory", says: "it is a folder", fix: "Name a file." },
  ENOTDIR: { code: "not-directory", says: "a part of the path is not a folder", fix: "Check the path." },
  CLOSED: { code: "closed", says: "it was closed already", fix: "Open it again." },
  EEXIST: { code: "exists", says: "it exists already", fix: "Choose another name." },
  ELOOP: { code: "invalid-path", says: "it is a symbolic link", fix: "Name the file itself." },
  ENOTREG: { code: "invalid-path", says: "it is not a regular file", fix: "Name a regular file." },
  ENXIO: { code: "invalid-path", says: "it is not a regular file", fix: "Name a regular file." },
  ENAMETOOLONG: { code: "invalid-path", says: "the name is too long", fix: "Use a shorter name." },
};

const retryable = new Set(["EAGAIN", "EBUSY", "EINTR", "EMFILE", "ENFILE", "ENOSPC", "EDQUOT", "ETIMEDOUT"]);

/** Turns what a file system call threw into a failure that names what was tried, on what, and what to do. */
export function diskFailure(what: string, path: string, cause: unknown): Result<never> {
  const errno = (cause as { readonly code?: string } | null)?.code ?? "unknown";
  const meaning = meanings[errno] ?? {
    code: "io" as const,
    says: `the system answered ${errno}`,
    fix: "Check the disk; entries acknowledged before are still there.",
  };
  return {
    ok: false,
    error: new PalimpsestError(meaning.code, `Could not ${what} ${path}: ${meaning.says}.`, {
      path,
      fix: meaning.fix,
      retryable: retryable.has(errno),
      cause,
      facts: { errno },
    }),
  };
}
