import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Ago } from './age.tsx';

/** Says that what is seen is old, and why. */
export function Stale({ failure, at }: { readonly failure: string | undefined; readonly at: number }) {
  if (failure === undefined) return null;
  return (
    <p className="notice bad" role="alert">
      {failure}{' '}
      {at > 0 && (
        <Trans>
          This page shows the state of <Ago at={at} />.
        </Trans>
      )}
    </p>
  );
}

/** In place of an empty list: what would stand here, and how it comes to be. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <div className="empty">{children}</div>;
}
