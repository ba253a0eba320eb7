import type { InspectedFile, InspectorSource } from "../inspected.ts";
import { InspectorError } from "./inspector-error.ts";

/** Reads from the file that the page is in: one session, whole, that does not change. */
export function createFileSource(file: InspectedFile): InspectorSource {
  return {
    isLive: false,
    sessions: async () => [file.entry],
    session: async () => file.session,
    texts: async (_id, items) => items.map((item) => file.texts[item] ?? { shown: "" }),
    policies: async () => file.policies,
    whatIf: async (_id, policy) => {
      const found = file.whatIfs.find((whatIf) => whatIf.policy === policy);
      if (found) return found;
      throw new InspectorError({
        message: `The report has no replay under the policy ${policy}.`,
        fix: "Open the session with `palimpsest inspect`, which replays any policy.",
      });
    },
    memories: async () => file.memories,
    memory: async (path) => {
      throw new InspectorError({
        message: `The report does not hold the text of ${path}.`,
        fix: "Open the folder with `palimpsest inspect`, which shows memories whole.",
      });
    },
    watch: () => () => {},
  };
}
