import { type ErrorCode, fail, type PalimpsestError, type Result } from "../../spec/index.ts";

/**
 * The state of a statement that failed.
 * - `unsent`: no server has worked on it, or it was undone: it may be sent again.
 * - `unknown`: the connection went away before the answer came. Only what can be repeated may be sent again.
 * - `refused`: the server's answer is no, and would be again.
 */
export type FailureOutcome = "unsent" | "unknown" | "refused";

export interface DatabaseFailure {
  readonly outcome: FailureOutcome;
  /** The connection is of no more use. */
  readonly isConnectionLost: boolean;
  readonly error: PalimpsestError;
}

interface Kind {
  readonly code: ErrorCode;
  readonly outcome: FailureOutcome;
  readonly isConnectionLost?: boolean;
  readonly message: string;
  readonly fix: string;
}

const reachFix = "See that the server runs and that DATABASE_URL leads to it, then try again.";

const undone: Kind = {
  code: "conflict",
  outcome: "unsent",
  message: "Other work on the same rows went first.",
  fix: "Try again.",
};
const away: Kind = {
  code: "disconnected",
  outcome: "unsent",
  isConnectionLost: true,
  message: "The database takes no connections.",
  fix: reachFix,
};
const lost: Kind = {
  code: "disconnected",
  outcome: "unknown",
  isConnectionLost: true,
  message: "The connection to the database was lost before its answer came.",
  fix: reachFix,
};
const full: Kind = {
  code: "overloaded",
  outcome: "unsent",
  isConnectionLost: true,
  message: "The database has no connection free.",
  fix: "Raise max_connections of the server, put a pooler before it, or run fewer processes.",
};

const kinds: Readonly<Record<string, Kind>> = {
  "40001": undone,
  "40P01": undone,
  "55P03": { ...undone, message: "Other work holds the rows for too long." },
  "57P01": lost,
  "57P02": lost,
  "57P03": away,
  "57P05": lost,
  "53300": full,
  "25006": {
    ...away,
    message: "The database is read-only, as a standby is.",
    fix: "Point DATABASE_URL at the primary.",
  },
  "57014": {
    code: "timeout",
    outcome: "refused",
    message: "The database stopped a statement that took too long.",
    fix: "Raise statement_timeout for this user, or see what keeps the server busy.",
  },
  "53100": {
    code: "disk-full",
    outcome: "refused",
    message: "The disk of the database is full.",
    fix: "Make room on the server; entries acknowledged before are safe.",
  },
  "42501": {
    code: "permission",
    outcome: "refused",
    message: "The database user may not do this.",
    fix: "Give it rights on the schema, or on the database to make one.",
  },
  "28P01": {
    code: "unauthenticated",
    outcome: "refused",
    isConnectionLost: true,
    message: "The database does not know this user and password.",
    fix: "Check the user and password in DATABASE_URL.",
  },
  "3D000": {
    code: "not-found",
    outcome: "refused",
    isConnectionLost: true,
    message: "There is no such database on the server.",
    fix: "Make it with createdb, or name another one in DATABASE_URL.",
  },
};

const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
const lostCodes = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** The server's answer to a statement that is wrong in itself. */
const protocolViolation = "08P01";

/** The meaning of a driver's failure. `hasNoEffect`: whatever was sent until now is undone with its connection. */
export function toDatabaseFailure(cause: unknown, hasNoEffect: boolean): DatabaseFailure {
  const { code = "", message = String(cause) } = cause as { code?: string; message?: string };
  const kind = kindOf(code, message, hasNoEffect);
  const { outcome, isConnectionLost = false } = kind;
  const refusal: Result<never> = fail(kind.code, `${kind.message} (${message})`, {
    fix: kind.fix,
    retryable: outcome !== "refused" || kind.code === "timeout",
    cause,
    facts: { database: code, outcome },
  });
  if (refusal.ok) throw new Error("unreachable");
  return { outcome, isConnectionLost, error: refusal.error };
}

function kindOf(code: string, message: string, hasNoEffect: boolean): Kind {
  const known = kinds[code] ?? (code.startsWith("28") ? kinds["28P01"] : undefined);
  if (known) return hasNoEffect && known === lost ? away : known;
  if (unsentCodes.has(code)) return away;
  if ((code.startsWith("08") && code !== protocolViolation) || lostCodes.has(code) || isLostMessage(message))
    return hasNoEffect ? away : lost;
  if (/timeout exceeded when trying to connect/.test(message))
    return { ...full, message: "The database gave no connection in time." };
  if (/Query read timeout/.test(message))
    return { ...lost, code: "timeout", message: "The database did not answer." };
  return {
    code: "io",
    outcome: "refused",
    message: "The database refused a statement.",
    fix: "This is a bug of the program, or the schema was changed from outside.",
  };
}

/** The driver gives these no code. */
function isLostMessage(message: string): boolean {
  return /Connection terminated|Client has encountered a connection error|connection is closed|socket hang up|Connection ended/i.test(
    message,
  );
}
