import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { List } from '../../component/list/list.tsx';
import type { ListColumn } from '../../component/list/list-column.ts';
import type { ListState } from '../../component/list/list-state.ts';
import { Actor } from '../../component/revision/actor.tsx';
import { AuditEntry, type Entry } from './audit-entry.tsx';
import { AuditObject } from './audit-object.tsx';
import { VerifyButton } from './verify-button.tsx';

/** The entries of the audit log, newest first. */
export function AuditPage() {
  const { t } = useLingui();
  const columns: readonly ListColumn<Entry>[] = [
    { id: 'seq', title: t`No.`, cell: ({ seq }) => seq, text: ({ seq }) => String(seq), width: 80 },
    {
      id: 'at',
      title: t`Time`,
      cell: ({ at }) => <Ago at={at} />,
      text: ({ at }) => new Date(at).toISOString(),
      width: 148,
    },
    {
      id: 'actor',
      title: t`Person or key`,
      cell: ({ actor }) => <Actor of={actor} />,
      text: ({ actor }) => actor,
      minWidth: 170,
    },
    {
      id: 'action',
      title: t`Change`,
      cell: (entry) => <AuditEntry entry={entry} />,
      text: ({ action, entity }) => `${action} ${entity}`,
      width: '2fr',
      minWidth: 220,
      isLong: true,
    },
    {
      id: 'object',
      title: t`Object`,
      cell: (entry) => <AuditObject entry={entry} />,
      text: ({ entityId }) => entityId,
      width: '2fr',
      minWidth: 180,
    },
    {
      id: 'address',
      title: t`Address`,
      cell: ({ address }) => address,
      text: ({ address }) => address ?? '',
    },
    {
      id: 'request',
      title: t`Request`,
      cell: ({ requestId }) => <code>{requestId}</code>,
      text: ({ requestId }) => requestId,
      isExtra: true,
    },
  ];
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Audit</Trans>
        </h1>
        <p className="dim flat">
          <Trans>
            Every change, chained by hashes. <code>carillon audit verify</code> proves that none was altered
            or removed.
          </Trans>
        </p>
        <VerifyButton />
      </header>
      <List
        id="audit"
        name={t`Audit`}
        columns={columns}
        filters={[{ name: 'actor', title: t`Person or key`, placeholder: 'key:01j9z3n6t2v4q8w5x7y1b3c5d7' }]}
        read={readPage}
        keyOf={({ seq }) => String(seq)}
        empty={
          <EmptyState title={t`No change yet`}>
            <Trans>
              Each change of a person, a key or the program is recorded here with its time and place.
            </Trans>
          </EmptyState>
        }
      />
    </>
  );
}

async function readPage({ filters: { actor } }: ListState, nextToken: string | undefined) {
  const answer = await api.call('getProvisioningAudit', {
    domain: domain.value,
    order: 'newest',
    limit: '100',
    ...(actor === undefined ? {} : { actor }),
    ...(nextToken === undefined ? {} : { nextToken }),
  });
  if (!answer.ok) return answer;
  const { entries: items, nextToken: next } = answer.value;
  return { ok: true as const, value: { items, nextToken: next } };
}
