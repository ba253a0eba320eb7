/** An attachment as the model sees it: wrapped, so that it reads as data and not as the user's word. */
export function toAttachmentText(text: string, subtype = "unknown"): string {
  const inside = text.replaceAll(/<(\s*)\/(?=\s*attachment)/gi, "<$1\\/");
  return `<attachment type="${subtype.replaceAll(/[^\w.-]/g, "_")}">\n${inside}\n</attachment>`;
}

const wrapped = /^<attachment type="([\w.-]*)">\n([\s\S]*)\n<\/attachment>$/;

/** What such a text holds; `undefined` for any other. */
export function readAttachmentText(
  text: string,
): { readonly subtype: string; readonly text: string } | undefined {
  const [, subtype, inside] = wrapped.exec(text) ?? [];
  if (subtype === undefined || inside === undefined) return undefined;
  return { subtype, text: inside.replaceAll(/<(\s*)\\\/(?=\s*attachment)/gi, "<$1/") };
}
