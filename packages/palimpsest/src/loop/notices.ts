import { toAttachmentText } from "@palimpsest/core/internal";
import { isBlock, type Notice, type NoticeMoment } from "@palimpsest/core/spec";
import { type Run, warn } from "./run.ts";

/** Attaches what there is to tell the model. A source that fails is named, and the others are heard. */
export async function attachNotices(run: Run, kind: NoticeMoment["kind"], prompt?: string): Promise<void> {
  const { touched, mode } = run;
  run.touched = [];
  for (const source of run.setup.notices) {
    const notices = await takeSafely(
      run,
      () =>
        source.take({
          kind,
          ...(prompt !== undefined && { prompt }),
          touched,
          mode,
          signal: run.signal,
        }),
      source.name,
    );
    const mayRepeat = kind !== "session-start" || source.remembers === true;
    for (const notice of notices) if (mayRepeat || !isInView(run, notice)) await attach(run, notice);
  }
}

/** A session that is resumed was told before, and still has it before its eyes. */
function isInView({ handle }: Run, { subtype, text }: Notice): boolean {
  const attached = toAttachmentText(text, subtype);
  return handle.view().items.some(({ block }) => isBlock(block, "text") && block.text === attached);
}

export async function attach(run: Run, notice: Notice): Promise<void> {
  if (notice.text.trim() === "") return;
  await run.handle.session.attach(notice);
  run.emit({ type: "notice-add", ...notice });
}

/** What hooks had to say, for the model and for the person. */
export async function attachContexts(run: Run, contexts: readonly string[]): Promise<void> {
  for (const text of contexts) await attach(run, { subtype: "hook", text });
}

async function takeSafely(
  run: Run,
  take: () => Promise<readonly Notice[]>,
  name: string,
): Promise<readonly Notice[]> {
  try {
    return await take();
  } catch (cause) {
    warn(run, `${name}: ${cause instanceof Error ? cause.message : String(cause)}`);
    return [];
  }
}
