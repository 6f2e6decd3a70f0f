import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';

/** A dialog over the page: Escape and the page behind close it, the focus stays inside. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useLingui();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={props.onClose}>
      <header>
        <h2 id="dialog-title">{props.title}</h2>
        <button type="button" className="plain" aria-label={t`Close`} onClick={() => dialog.current?.close()}>
          ✕
        </button>
      </header>
      {props.children}
    </dialog>
  );
}
