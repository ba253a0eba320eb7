import type { ContentBlock, Role, Usage } from "../../spec/index.ts";

/** A message of another library as a session takes it. */
export interface ReadMessage<Part> {
  readonly role: Role;
  readonly blocks: readonly ContentBlock[];
  /** For each block the part it came from, to be given back as it was. */
  readonly parts: readonly Part[];
  /** Of the response that an assistant's message is, where the message itself says. */
  readonly usage?: Usage;
  readonly id?: string;
}

export interface Piece<Part> {
  readonly block: ContentBlock;
  /** The provider's cache should be kept up to here. */
  readonly isBreakpoint: boolean;
  /** Where the block is as it came. */
  readonly part?: Part;
}

/** How another library writes messages. */
export interface ForeignForm<Message, Part> {
  /** `null`: no part of the conversation, as a system prompt is; it stays where it is. */
  read(message: Message): ReadMessage<Part> | null;
  /** Messages for neighbouring blocks of one role that are no longer a message as it came. */
  write(role: Role, pieces: readonly Piece<Part>[]): readonly Message[];
  /** The message as it came, with the mark of a breakpoint at its end; the same one where there is no such mark. */
  mark(message: Message): Message;
}
