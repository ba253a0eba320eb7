import { takeMail } from "../take-mail.mjs";

/** Takes the mail of one session into its log for ever. */
export async function work(store, { to }) {
  await takeMail(store, to, { isForever: true });
}
