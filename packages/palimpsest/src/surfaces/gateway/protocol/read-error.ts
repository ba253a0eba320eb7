import { isObject, textOf } from "@palimpsest/core/internal";
import { parseJson } from "./parse-json.ts";

/** The code and the words of an error of either API; the whole body where it is neither. */
export function readError(body: string): { readonly code?: string; readonly message: string } {
  const document = parseJson(body);
  const error = isObject(document) && isObject(document.error) ? document.error : {};
  const code = textOf(error, "code") ?? textOf(error, "type");
  return { ...(code !== undefined && { code }), message: textOf(error, "message") ?? body };
}
