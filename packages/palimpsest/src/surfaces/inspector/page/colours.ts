/** Reads colours of the style sheet as a canvas takes them. */
export interface Colours {
  of(name: string): string;
  category(name: string): string;
}

/** The colours as they are now: ask again when the theme changes. */
export function readColours(): Colours {
  const probe = document.createElement("span");
  probe.hidden = true;
  const known = new Map<string, string>();
  const of = (name: string) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    document.body.append(probe);
    probe.style.color = `var(--${name})`;
    const colour = getComputedStyle(probe).color;
    probe.remove();
    known.set(name, colour);
    return colour;
  };
  return { of, category: (name) => of(`category-${name}`) };
}
