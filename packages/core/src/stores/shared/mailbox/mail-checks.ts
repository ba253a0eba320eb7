import { isLogId } from "../../../layers/7-agents/mail/rules/index.ts";
import { fail, type Mail, ok, type Result } from "../../../spec/index.ts";
import { isMailId } from "./mail-names.ts";

/** Ok where it can have a mailbox. */
export function checkReceiver(to: string): Result<void> {
  if (isLogId(to)) return ok();
  return fail("invalid-input", `${JSON.stringify(to)} cannot have a mailbox.`, {
    path: to,
    fix: "Name a session, or an agent as <session>/<agent>.",
  });
}

/** Why a mail cannot be one; `null` where it can. */
export function checkMail({ id, from, to, at }: Mail): Result<never> | null {
  const odd = !isMailId(id) ? id : [from, to].find((address) => !isLogId(address));
  if (odd !== undefined)
    return fail(
      "invalid-input",
      `${JSON.stringify(odd)} cannot be the id, the sender or the receiver of a mail.`,
      {
        path: odd,
        fix: "Use letters, digits, dots, dashes and underscores; an agent is <session> or <session>/<agent>.",
      },
    );
  if (!Number.isNaN(Date.parse(at))) return null;
  return fail("invalid-input", `${JSON.stringify(at)} is not a time.`, {
    path: "at",
    fix: "Give an ISO time.",
  });
}
