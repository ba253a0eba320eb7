import type { Mail } from "../../../spec/index.ts";
import { laneOf, type MailName } from "./mail-names.ts";

export function formatMail(mail: Mail): Uint8Array {
  const { id, from, to, at, seq, body } = mail;
  return Buffer.from(`${JSON.stringify({ v: 1, id, from, to, at, seq, body })}\n`);
}

export function parseMail(text: string, { lane, seq, id }: MailName, to: string): Mail | null {
  let value: Partial<Mail> & { readonly v?: unknown };
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || value.v !== 1) return null;
  const { from, at, body = null } = value;
  if (typeof from !== "string" || typeof at !== "string" || laneOf(from) !== lane) return null;
  if (value.id !== id || value.seq !== seq || value.to !== to) return null;
  return { id, from, to, at, seq, body };
}
