import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { go } from '../../client/route.ts';
import { Act } from '../../component/act.tsx';
import type { Kind } from './kind.ts';
import { useKindWords } from './kind-words.ts';
import { remove } from './resource.ts';

/** Removes a resource, once its name was typed; a draft alone leaves what is in service. */
export function Remove(props: {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly isDraft: boolean;
}) {
  const { kind, id, name, isDraft } = props;
  const { t } = useLingui();
  const words = useKindWords(kind);
  const [sure, setSure] = useState('');
  return (
    <details className="danger">
      <summary>{isDraft ? t`Throw this draft away` : t`Remove ${name}`}</summary>
      <p>{isDraft ? t`The resource in service stays as it is.` : words.removal}</p>
      <label>
        <Trans>
          Type <strong>{name}</strong> to confirm
        </Trans>
        <input value={sure} onChange={(event) => setSure(event.currentTarget.value)} />
      </label>
      <Act
        label={t`Remove`}
        danger
        disabled={sure !== name}
        run={() => remove(kind, id, isDraft ? { provisory: 'true' } : {})}
        done={() => go(kind.page)}
      />
    </details>
  );
}
