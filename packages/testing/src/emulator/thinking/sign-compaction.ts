import type { WireBody } from "../wire.ts";
import { prefixDigests } from "./prefix-digests.ts";
import { defaultSecret, seal } from "./seal.ts";

/**
 * The `signature` of a compaction block (or its `encrypted_content`, for compaction as an edit) that stands for all
 * messages of `body` and says `content`. Thinking behind the block stays bound as if the messages were still there.
 */
export function signCompaction(options: {
  readonly body: WireBody;
  readonly content: string;
  readonly secret?: string;
}): string {
  const { body, content, secret = defaultSecret } = options;
  return seal(secret, "compaction", [prefixDigests(body, secret).messages], content);
}
