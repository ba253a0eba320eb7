/** Without the blanks at both ends that a shell does not see. */
export function trimCommand(command: string): string {
  return command.replace(/^[ \t\n]+/, "").replace(/[ \t\n]+$/, "");
}
