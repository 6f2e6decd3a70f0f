import { useEffect, useState } from 'react';

/** Whether the page is dark: what is drawn on a canvas is drawn again when that changes. */
export function useTheme(): boolean {
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const hear = (): void => setDark(query.matches);
    query.addEventListener('change', hear);
    return () => query.removeEventListener('change', hear);
  }, []);
  return isDark;
}
