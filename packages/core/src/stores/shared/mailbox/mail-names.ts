import { createHash } from "node:crypto";

/** A mail's name: the sender's lane, its number in it, its id, and in `cur/` who has taken it. */
export interface MailName {
  readonly lane: string;
  readonly seq: number;
  readonly id: string;
  /** As it is called in `new/`. */
  readonly name: string;
  /** Absent in `new/`. */
  readonly reader?: string;
}

const part = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}";
const mailName = new RegExp(`^(([0-9a-f]{16})\\.(\\d{15})\\.(${part}))(?:,(${part}))?$`);
const wholePart = new RegExp(`^${part}$`);

export const isMailId = (id: string) => wholePart.test(id);

/** The folder of a receiver, and the lane of a sender: hashed, so that every address is a name of its own. */
export const folderNameOf = (address: string) => hash(address).slice(0, 32);
export const laneOf = (address: string) => hash(address).slice(0, 16);

export function formatMailName(lane: string, seq: number, id: string): string {
  return `${lane}.${String(seq).padStart(15, "0")}.${id}`;
}

export const takenName = ({ name }: MailName, reader: string) => `${name},${reader}`;

/** `null` for everything that is not a mail's. */
export function parseMailName(text: string): MailName | null {
  const [, name, lane, seq, id, reader] = mailName.exec(text) ?? [];
  if (name === undefined || lane === undefined || id === undefined) return null;
  return { name, lane, seq: Number(seq), id, ...(reader !== undefined && { reader }) };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
