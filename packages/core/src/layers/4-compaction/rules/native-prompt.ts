import { summarySections } from "./summary-prompt.ts";

/**
 * What the API is asked to heed. Its own prompt gives way to whatever it is given, so this asks for the whole summary;
 * without wishes it is asked in its own words.
 */
export function nativePrompt(instructions: string | undefined): string | undefined {
  const wishes = (instructions ?? "").trim();
  if (wishes === "") return undefined;
  return [
    "Write a summary of the conversation that will stand in its place. Whoever goes on with the work will have nothing else: paths, names, numbers and quotes must be as they were, and every request must be said to be done, open or cancelled.",
    `Give it these sections: ${summarySections.join("; ")}.`,
    `Heed these instructions besides:\n${wishes}`,
  ].join("\n\n");
}
