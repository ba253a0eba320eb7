import { useCallback, useEffect, useState } from "preact/hooks";

/** Keys of what is open, and ways to change that; another session begins with nothing open. */
export function useOpened(session: string) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setOpened(new Set()), [session]);
  const toggle = useCallback((key: string) => {
    setOpened((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  const closeAll = useCallback(() => setOpened(new Set()), []);
  return { opened, toggle, closeAll };
}
