import { fail, ok, type Result } from "../../../../spec/index.ts";

export interface RetentionLimits {
  readonly maxWaiting: number;
  readonly maxAgeMs: number;
  readonly maxMailBytes: number;
}

/** Whether a mailbox takes one more mail. A full one refuses: what was accepted is not pushed out. */
export function decideAdmission(
  { waiting, bytes, to }: { readonly waiting: number; readonly bytes: number; readonly to: string },
  limits: RetentionLimits,
): Result<void> {
  if (bytes > limits.maxMailBytes)
    return fail(
      "too-large",
      `The mail has ${bytes} bytes, over the ${limits.maxMailBytes} that one may have.`,
      {
        path: to,
        fix: "Write it into a file, and send where it is.",
        facts: { bytes, maxMailBytes: limits.maxMailBytes },
      },
    );
  if (waiting < limits.maxWaiting) return ok();
  return fail("too-large", `The mailbox of ${to} is full: ${waiting} mails wait in it.`, {
    path: to,
    fix: "Send it again once the receiver has read some of them.",
    retryable: true,
    facts: { waiting, maxWaiting: limits.maxWaiting },
  });
}

/** Whether a mail has waited too long. One from the future has a clock that cannot be believed, and is kept. */
export function isExpired(
  at: string,
  nowMs: number,
  { maxAgeMs }: Pick<RetentionLimits, "maxAgeMs">,
): boolean {
  const sentMs = Date.parse(at);
  return Number.isFinite(sentMs) && nowMs - sentMs > maxAgeMs;
}
