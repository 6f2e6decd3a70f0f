import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';

/** A button that does something, says that it is doing it, and what became of it when it was refused. */
export function Act(props: {
  readonly label: string;
  readonly run: () => Promise<Result<unknown, CallFailure>>;
  readonly done?: () => void;
  readonly danger?: boolean;
  /** One of several that are equally likely. */
  readonly plain?: boolean;
  readonly disabled?: boolean;
}) {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState('');
  const press = async (): Promise<void> => {
    setBusy(true);
    setRefused('');
    const result = await props.run();
    setBusy(false);
    if (result.ok) props.done?.();
    else setRefused(result.error.reason);
  };
  return (
    <span className="act">
      <button
        type="button"
        className={props.danger === true ? 'danger' : props.plain === true ? 'plain' : ''}
        disabled={busy || props.disabled === true}
        onClick={() => void press()}
      >
        {busy ? t`One moment…` : props.label}
      </button>
      {refused !== '' && (
        <span className="refused" role="alert">
          {refused}
        </span>
      )}
    </span>
  );
}
