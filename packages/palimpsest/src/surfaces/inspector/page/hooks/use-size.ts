import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useState } from "preact/hooks";

/** Width and height of an element's inside, as they change. */
export function useSize(element: RefObject<HTMLElement>): {
  readonly width: number;
  readonly height: number;
} {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const node = element.current;
    if (!node) return;
    const measure = () =>
      setSize((before) =>
        before.width === node.clientWidth && before.height === node.clientHeight
          ? before
          : { width: node.clientWidth, height: node.clientHeight },
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  return size;
}

const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storageKey = "palimpsest-inspector-theme";

/** The chosen theme, kept where the browser lets pages keep things, and a counter of changes to what is seen. */
export function useTheme(): { readonly theme: Theme; readonly seen: number; readonly next: () => void } {
  const [theme, setTheme] = useState<Theme>(readTheme);
  const [seen, setSeen] = useState(0);
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    writeTheme(theme);
    setSeen((count) => count + 1);
  }, [theme]);
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => setSeen((count) => count + 1);
    dark.addEventListener("change", changed);
    return () => dark.removeEventListener("change", changed);
  }, []);
  const next = useCallback(
    () => setTheme((before) => themes[(themes.indexOf(before) + 1) % themes.length] ?? "system"),
    [],
  );
  return { theme, seen, next };
}

function readTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(storageKey)) ?? "system";
  } catch {
    return "system";
  }
}

function writeTheme(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // A page in a file may keep nothing: the choice holds until it is closed.
  }
}
