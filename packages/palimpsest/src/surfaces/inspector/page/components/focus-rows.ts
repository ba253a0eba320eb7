/** Puts the focus on the list inside of a part of the page, if it has one. */
export function focusRows(part: string): void {
  document.querySelector<HTMLElement>(`${part} .rows`)?.focus();
}
