import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useState } from 'react';

/** It is fetched when a person asks for it the first time. */
const Palette = lazy(() => import('./palette.tsx'));

/** Opens the palette, as Ctrl-K does from anywhere. */
export function FindButton() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" className="find-button" onClick={() => setOpen(true)}>
        <Trans>Search…</Trans> <kbd>Ctrl K</kbd>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
