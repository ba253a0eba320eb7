/**
 * The readings of a text: as it is, and as it would be once what is escaped in it is not. A secret that can be found in
 * any of them is found.
 */
export function readingsOf(text: string): readonly string[] {
  const readings = new Set([text]);
  let reading = text;
  for (let level = 0; level < maxLevels && reading.includes("\\"); level += 1) {
    reading = reading.replaceAll(/\\(u[0-9a-fA-F]{4}|[nrt"'\x60\\/])/g, (_, escaped: string) =>
      unescaped(escaped),
    );
    readings.add(reading);
  }
  if (/%[0-9a-fA-F]{2}/.test(text)) {
    const once = decodePercent(text);
    readings.add(once).add(decodePercent(once));
  }
  if (/&(?:quot|apos|amp|lt|gt|#\w+);/.test(text)) readings.add(decodeEntities(text));
  if (text.includes("\r")) readings.add(text.replaceAll(/\r\n?/g, "\n"));
  return [...readings];
}

/** JSON in JSON in JSON. */
const maxLevels = 3;

const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unescaped(escaped: string): string {
  if (escaped.length > 1) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return controls[escaped] ?? escaped;
}

function decodePercent(text: string): string {
  return text.replaceAll(/%([0-7][0-9a-fA-F])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const named: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(quot|apos|amp|lt|gt|#\d{1,4}|#x[0-9a-f]{1,4});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return named[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return String.fromCharCode(code);
  });
}
