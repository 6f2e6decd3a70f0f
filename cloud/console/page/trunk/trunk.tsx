import { Trans, useLingui } from '@lingui/react/macro';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { EmptyState } from '../../component/empty-state.tsx';
import { List } from '../../component/list/list.tsx';
import type { ListColumn } from '../../component/list/list-column.ts';
import { PageLink } from '../../component/page-link.tsx';

type Trunk = Operations['getProvisioningTrunk']['answer']['trunks'][number];

/** The trunks of the tenant: lines to carriers and other exchanges. */
export function TrunkPage() {
  const { t } = useLingui();
  const columns: readonly ListColumn<Trunk>[] = [
    { id: 'name', title: t`Name`, cell: ({ name }) => <strong>{name}</strong>, text: ({ name }) => name },
    {
      id: 'direction',
      title: t`Direction`,
      cell: ({ direction }) => direction,
      text: ({ direction }) => direction ?? '',
    },
    {
      id: 'hosts',
      title: t`Hosts`,
      cell: ({ hosts = [] }) => hosts.map(({ uri }) => uri).join(', '),
      text: ({ hosts = [] }) => hosts.map(({ uri }) => uri).join(' '),
      width: '2fr',
    },
    {
      id: 'transport',
      title: t`Transport`,
      cell: ({ transport }) => transport,
      text: ({ transport }) => transport ?? '',
    },
    {
      id: 'group',
      title: t`Trunk group`,
      cell: ({ trunkGroupId }) => trunkGroupId,
      text: ({ trunkGroupId }) => trunkGroupId ?? '',
    },
    { id: 'id', title: t`ID`, cell: ({ id }) => <code>{id}</code>, text: ({ id }) => id, isExtra: true },
  ];
  const add = mayProvision.value && (
    <PageLink page="trunk" rest="new" className="button">
      <Trans>Create a trunk</Trans>
    </PageLink>
  );
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Trunks</Trans>
        </h1>
        <p className="dim about">
          <Trans>Lines to carriers and other exchanges, by which calls arrive and leave.</Trans>
        </p>
        {add}
      </header>
      <List
        name={t`Trunks`}
        columns={columns}
        read={(_, token) => readPage(token)}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ page: 'trunk', rest: id })}
        empty={
          <EmptyState
            title={t`No trunk yet`}
            action={add}
            command={`curl -X POST ${location.origin}/provisioning/trunk/${domain.value} …`}
          >
            <Trans>
              A trunk carries calls of devices and people to the telephone network. Without one, calls stay
              between the devices of a site.
            </Trans>
          </EmptyState>
        }
      />
    </>
  );
}

async function readPage(nextToken: string | undefined) {
  const answer = await api.call('getProvisioningTrunk', {
    domain: domain.value,
    limit: '100',
    ...(nextToken === undefined ? {} : { nextToken }),
  });
  if (!answer.ok) return answer;
  return { ok: true as const, value: { items: answer.value.trunks, nextToken: answer.value.nextToken } };
}
