import type { NoticeSource } from "@palimpsest/core/spec";

export const planModeOn =
  "Plan mode is on: nothing may be changed. Look around, ask what you must know, and make a plan; when it is complete, show it with ExitPlanMode. If you are only asked a question, answer it.";
export const planModeOff = "Plan mode is off: changes are allowed again, as far as permission goes.";

/** Tells when plan mode begins and ends. `told` is what the model has before its eyes of this. */
export function createModeSource(told: () => readonly string[]): NoticeSource {
  return {
    name: "mode",
    remembers: true,
    async take({ mode }) {
      const isOn = mode === "plan";
      const wasOn = told().at(-1) === planModeOn;
      return isOn === wasOn ? [] : [{ subtype: "mode", text: isOn ? planModeOn : planModeOff }];
    },
  };
}
