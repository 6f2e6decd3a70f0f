import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';

/** Puts a text on the clipboard. A browser has none for a page that came without TLS: then there is no button. */
export function Copy({ text }: { readonly text: string }) {
  const { t } = useLingui();
  const [isCopied, setCopied] = useState(false);
  if (navigator.clipboard === undefined) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button type="button" className="plain" onClick={() => void copy()}>
      {isCopied ? t`Copied` : t`Copy`}
    </button>
  );
}
