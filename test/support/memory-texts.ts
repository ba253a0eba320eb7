export interface MemoryWords {
  readonly name?: string;
  readonly description?: string;
  readonly type?: string;
  readonly body?: string;
}

/** The text of a memory file. */
export function memoryText({
  name = "Topic",
  description = "when it matters",
  type = "reference",
  body = "Words.",
}: MemoryWords = {}): string {
  return `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\n---\n\n${body}\n`;
}
