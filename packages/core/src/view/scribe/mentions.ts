/** Whether a text has a path as it is, and not as a part of a longer one. */
export function mentionsPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text.slice(at + path.length, at + path.length + 2);
    if (!/[\w/.@+-]/.test(before) && !/^(?:[\w/@+-]|\.\w)/.test(after)) return true;
  }
  return false;
}

/** Whether a text offers to give back what has this id. */
export function mentionsId(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + id.length] ?? " "}`;
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}
