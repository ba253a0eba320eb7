import { isRecord } from "../request/is-record.ts";
import { toText } from "../request/to-text.ts";
import type { WireBody } from "../wire.ts";
import { type ChatReport, reportEmpty, reportType } from "./chat-report.ts";

const imageUrl = /^(?:https?:\/\/\S+|data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2})$/;

/** The parts of one message: of a type that its role may use, with what the type needs. */
export function checkChatParts(
  parts: readonly unknown[],
  path: string,
  allowed: readonly string[],
  report: ChatReport,
): void {
  if (parts.length === 0) {
    reportEmpty(report, "content", path);
    return;
  }
  for (const [index, part] of parts.entries()) {
    const where = `${path}[${index}]`;
    if (!isRecord(part)) reportType(report, "part", where, "an object", part);
    else if (!allowed.includes(toText(part.type)))
      report(
        "part-type",
        `${where}.type`,
        `Invalid value: '${toText(part.type)}'. Supported values are: ${allowed.map((type) => `'${type}'`).join(", ")}.`,
        "invalid_value",
      );
    else checkPart(part, where, report);
  }
}

function checkPart(part: WireBody, path: string, report: ChatReport): void {
  const { type } = part;
  if (type === "text" || type === "refusal") {
    if (typeof part[type] !== "string") reportType(report, "part", `${path}.${type}`, "a string", part[type]);
    return;
  }
  if (type === "image_url") {
    checkImage(part.image_url, `${path}.image_url`, report);
    return;
  }
  if (type !== "file") return;
  const { file } = part;
  if (!isRecord(file)) {
    reportType(report, "part", `${path}.file`, "an object", file);
    return;
  }
  const { file_id: id, file_data: bytes } = file;
  if (typeof id !== "string" && typeof bytes !== "string")
    reportType(report, "part", `${path}.file.file_id`, "a string", id);
}

function checkImage(image: unknown, path: string, report: ChatReport): void {
  if (!isRecord(image)) {
    reportType(report, "image", path, "an object", image);
    return;
  }
  const { url } = image;
  if (typeof url !== "string") {
    reportType(report, "image", `${path}.url`, "a string", url);
    return;
  }
  if (!imageUrl.test(url))
    report(
      "image",
      `${path}.url`,
      `Invalid '${path}.url'. Expected a URL, or a base64-encoded data URL with an image MIME type.`,
      "invalid_value",
    );
}
