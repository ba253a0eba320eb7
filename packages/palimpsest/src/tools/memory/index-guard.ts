import { indexPath } from "./memory-options.ts";

/** Whether a path of the tree is the index: also where the file system knows no case. */
export function isIndex(inTree: string): boolean {
  return inTree.toLowerCase() === indexPath.toLowerCase();
}

/** Whether a change of the index leaves what is generated as it is. */
export function keepsGenerated(before: string, after: string, marker: string): boolean {
  return generatedPart(before, marker) === generatedPart(after, marker);
}

function generatedPart(text: string, marker: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.trim() === marker.trim());
  return at === -1 ? "" : lines.slice(at).join("\n");
}
