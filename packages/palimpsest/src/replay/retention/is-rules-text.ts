const attachedRules = /^\s*<attachment type="(?:nested_memory|memory|rules|claude_md|agents_md)[^"]*"/;
const remindedRules = /^\s*<system-reminder>[\s\S]{0,600}\b(?:CLAUDE|AGENTS|GEMINI)\.md\b/;

/** Whether a text is a rules file as a harness puts it into the conversation. */
export function isRulesText(text: string): boolean {
  return attachedRules.test(text) || remindedRules.test(text);
}
