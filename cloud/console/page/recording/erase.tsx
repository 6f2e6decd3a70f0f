import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { PageLink } from '../../component/page-link.tsx';

/** Erases a recording at the control plane; one that lies at its host is erased there with the personal data. */
export function Erase({ name }: { readonly name: string }) {
  const { t } = useLingui();
  const [isSure, setSure] = useState(false);
  const [state, setState] = useState<'there' | 'erased' | 'atHost'>('there');
  const erase = async () => {
    const answer = await api.call('deleteMediaserviceByDomainPromptfileByFilename', {
      domain: domain.value,
      filename: name,
    });
    if (answer.ok) setState('erased');
    else if (answer.error.status === 404) setState('atHost');
    else return answer;
    return { ok: true as const, value: null };
  };
  if (state === 'erased')
    return (
      <p className="notice" role="status">
        <Trans>The recording is erased. The record of the session still names it.</Trans>
      </p>
    );
  return (
    <details className="danger">
      <summary>
        <Trans>Erase this recording</Trans>
      </summary>
      <p>
        <Trans>
          It can be heard no more, and nothing brings it back. The audit log keeps that it existed.
        </Trans>
      </p>
      <label className="check">
        <input type="checkbox" checked={isSure} onChange={(event) => setSure(event.currentTarget.checked)} />{' '}
        <Trans>Delete it for good</Trans>
      </label>
      <Act label={t`Erase`} danger disabled={!isSure} run={erase} />
      {state === 'atHost' && (
        <p className="notice" role="status">
          <Trans>
            The control plane does not hold this recording: it lies at its host, or was deleted before.
            Personal data of the device are erased at each host:{' '}
            <PageLink page="privacy">Personal data</PageLink>.
          </Trans>
        </p>
      )}
    </details>
  );
}
