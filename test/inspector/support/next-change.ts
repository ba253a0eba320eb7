/** Waits for messages of a stream of server-sent events. */
export interface ChangeStream {
  /** The next change that is told. */
  next(): Promise<void>;
  close(): Promise<void>;
}

const change = "data: changed\n\n";

/** Told of every change behind the first message, which only says that the file is watched. */
export async function openChangeStream(url: string): Promise<ChangeStream> {
  const response = await fetch(url);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const until = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) throw new Error(`the stream ended with ${text}`);
      text += decoder.decode(chunk.value, { stream: true });
    }
    text = text.slice(text.indexOf(wanted) + wanted.length);
  };
  await until(": watching\n\n");
  await until(change);
  return { next: () => until(change), close: async () => reader?.cancel() };
}
