/** Published logs have lost their signatures, and thinking without one is not imported: the live session had both. */
export function signedText(text) {
  return text.split("\n").map(signLine).join("\n");
}

function signLine(line) {
  if (!line.includes('"thinking"')) return line;
  try {
    return JSON.stringify(JSON.parse(line), (_key, value) =>
      value?.type === "thinking" && !value.signature ? { ...value, signature: "lost" } : value,
    );
  } catch {
    return line;
  }
}
