import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { type ChainVerdict, verifyChain } from './verify.ts';

/** Reads the whole log and follows its hashes. */
export function VerifyButton() {
  const { t } = useLingui();
  const [verdict, setVerdict] = useState<ChainVerdict>();
  const run = async () => {
    setVerdict(undefined);
    const answer = await verifyChain(SOURCE);
    if (answer.ok) setVerdict(answer.value);
    return answer;
  };
  return (
    <>
      <Act plain label={t`Verify the chain`} run={run} />
      {verdict !== undefined && verdict.broken === undefined && (
        <p className="notice" role="status">
          <Trans>
            All {verdict.checked} entries fit together. Keep the hash{' '}
            <code>{verdict.hash.slice(0, 16)}…</code> of the last one: no entry before it can change unseen.
          </Trans>
        </p>
      )}
      {verdict?.broken !== undefined && (
        <p className="notice bad" role="alert">
          <Trans>
            Entry {verdict.broken} does not fit: it was changed, removed or put in. Compare it with a backup
            of the database.
          </Trans>
        </p>
      )}
    </>
  );
}

const SOURCE = {
  head: () => api.call('getProvisioningAuditHead', { domain: domain.value }),
  page: async (token: string | undefined) => {
    const answer = await api.call('getProvisioningAudit', {
      domain: domain.value,
      order: 'oldest',
      limit: '100',
      ...(token === undefined ? {} : { nextToken: token }),
    });
    if (!answer.ok) return answer;
    const { entries, nextToken } = answer.value;
    return {
      ok: true as const,
      value: { items: entries.map((entry) => ({ ...entry, detail: entry.detail })), nextToken },
    };
  },
};
