import type { ForkOptions, NoticeSource, Result } from "@palimpsest/core/spec";
import type { MailMember } from "../mail/mail-member.ts";

/** Makes an agent reachable for others. */
export type EnterMail = (agent: {
  readonly id: string;
  readonly name: string;
}) => Promise<Result<MailMember>>;

/** The mail of a fork, whose log has its id only once it has begun. */
export interface ForkMail {
  readonly notices: NonNullable<ForkOptions["notices"]>;
  member(): MailMember | undefined;
  leave(): Promise<void>;
}

export function createForkMail(enter: EnterMail, name: string): ForkMail {
  let entering: Promise<unknown> = Promise.resolve();
  let member: MailMember | undefined;
  return {
    notices({ id, entries, view }) {
      let source: NoticeSource | undefined;
      entering = enter({ id, name }).then((entered) => {
        if (!entered.ok) throw entered.error;
        member = entered.value;
        source = member.source({ entries, view });
      });
      entering.catch(() => undefined);
      return [
        {
          name: "mail",
          remembers: true,
          async take(moment) {
            await entering;
            return (await source?.take(moment)) ?? [];
          },
        },
      ];
    },
    member: () => member,
    async leave() {
      await entering.catch(() => undefined);
      await member?.leave();
    },
  };
}
