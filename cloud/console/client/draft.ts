import { useEffect, useState } from 'react';

const PREFIX = 'carillon.draft.';

function read<T>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Something that a person is writing; it outlives a lost session, a lost network and a page that is loaded again. */
export interface Draft<T> {
  readonly value: T;
  readonly write: (value: T) => void;
  /** It was saved or thrown away: the next one begins with what is stored. */
  readonly forget: () => void;
  /** The value was found in the tab: it is not what the control plane has. */
  readonly isKept: boolean;
}

/**
 * The draft of this key, in the tab alone (`sessionStorage`); `initial` where there is none. A key names what is written and
 * for whom: `bridge/care.example/b-17`. `keep` takes away what no tab may keep: passwords and keys.
 */
export function useDraft<T>(key: string, initial: T, keep: (value: T) => T): Draft<T> {
  const [kept] = useState(() => read<T>(key));
  const [value, setValue] = useState<T>(kept ?? initial);
  const [isDirty, setDirty] = useState(kept !== undefined);
  const text = isDirty ? JSON.stringify(keep(value)) : undefined;
  useEffect(() => {
    if (text === undefined) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, text);
  }, [key, text]);
  return {
    value,
    write: (next) => {
      setValue(next);
      setDirty(true);
    },
    forget: () => setDirty(false),
    isKept: kept !== undefined && isDirty,
  };
}
