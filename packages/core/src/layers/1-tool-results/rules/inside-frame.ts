const closing = /<(?=\s*\/\s*persisted-(?:output|prompt)\b)/gi;

/** A text in which nothing reads as the end of the frame around it; as long as it was, in characters and in bytes. */
export function insideFrame(text: string): string {
  return text.replace(closing, "[");
}
