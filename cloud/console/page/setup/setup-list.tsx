import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { PROTOCOL_HINT } from '#shared/contract/provisioning/index.ts';
import { useAnswer } from '../../client/query.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { useStore } from '../../client/store.ts';
import { Ago } from '../../component/age.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { List } from '../../component/list/list.tsx';
import type { ListColumn } from '../../component/list/list-column.ts';
import { PageLink } from '../../component/page-link.tsx';
import { WhoMay } from '../../component/who-may.tsx';
import { protocolName } from '../../component/wording/protocol-name.ts';
import { Drafts } from '../bridge/draft.tsx';
import { Errors, useErrors } from './health.tsx';
import type { Kind } from './kind.ts';
import { useKindWords } from './kind-words.ts';
import { type Resource, readPage, saved } from './resource.ts';

/** A person who has set up a receiver waits here for its first alarm. */
const LAST_STEP_MS = 10_000;

const textOf = (resource: Resource, name: string): string => {
  const value = resource[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** All resources of a kind, each with its health. */
export function SetupList({ kind }: { readonly kind: Kind }) {
  const words = useKindWords(kind);
  const columns = useColumns(kind);
  const [turn, setTurn] = useState(0);
  const last = useStore(saved);
  useEffect(() => {
    return () => {
      saved.value = undefined;
    };
  }, []);
  const add = mayProvision.value && (
    <PageLink page={kind.page} rest="new" className="button">
      {words.create}
    </PageLink>
  );
  const path = kind.noun.endsWith('ByDomain') ? kind.member : `provisioning/${kind.member}`;
  return (
    <>
      <header className="page">
        <h1>{words.many}</h1>
        <p className="dim about">{words.about}</p>
        {kind.hasPattern && (
          <PageLink page="taker">
            <Trans>Taker of a destination</Trans>
          </PageLink>
        )}
        {add}
      </header>
      <WhoMay need="provision" />
      {last?.page === kind.page && (
        <p className="notice" role="status">
          <Trans>
            <strong>{last.name}</strong> is saved. Sites fetch it within seconds.
          </Trans>
        </p>
      )}
      {kind.hasDraft && <Drafts done={() => setTurn(turn + 1)} of={[kind.page]} />}
      <List
        key={turn}
        id={kind.page}
        name={words.many}
        columns={columns}
        read={(_, token) => readPage(kind, token)}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ page: kind.page, rest: id })}
        empty={
          <EmptyState
            title={words.noneTitle}
            action={add}
            command={`curl -X POST ${location.origin}/${path}/${domain.value} …`}
          >
            {words.none}
          </EmptyState>
        }
      />
    </>
  );
}

function useColumns(kind: Kind): readonly ListColumn<Resource>[] {
  const { t } = useLingui();
  const errors = useErrors(kind.hasRecords);
  const plain = (id: string, title: string): ListColumn<Resource> => ({
    id,
    title,
    cell: (row) => textOf(row, id),
    text: (row) => textOf(row, id),
  });
  const hosts = (row: Resource): string =>
    ((row.hosts ?? []) as readonly { readonly uri: string }[]).map(({ uri }) => uri).join(', ');
  const byKind: Readonly<Record<string, readonly ListColumn<Resource>[]>> = {
    bridge: [
      { ...plain('protocol', t`Protocol`), cell: (row) => <Protocol name={textOf(row, 'protocol')} /> },
    ],
    sender: [plain('alarmHandling', t`Handling`), plain('description', t`Description`)],
    profile: [plain('kind', t`Kind`), plain('extends', t`Extends`)],
    trunk: [
      plain('direction', t`Direction`),
      { id: 'hosts', title: t`Hosts`, cell: hosts, text: hosts, width: '2fr' },
      plain('transport', t`Transport`),
      plain('trunkGroupId', t`Trunk group`),
    ],
  };
  const pattern: ListColumn<Resource> = {
    ...plain('destinationMatch', t`Destinations`),
    cell: (row) => <code>{textOf(row, 'destinationMatch')}</code>,
  };
  const health: readonly ListColumn<Resource>[] = [
    { id: 'last', title: t`Last session`, cell: ({ id }) => <Last id={id} />, text: () => '' },
    {
      id: 'errors',
      title: t`Errors, 24 h`,
      cell: ({ id }) => <Errors of={errors} id={id} />,
      text: ({ id }) => String(errors?.get(id)?.failed ?? 0),
    },
  ];
  return [
    { ...plain('name', t`Name`), cell: (row) => <strong>{row.name ?? row.id}</strong>, width: '2fr' },
    ...(byKind[kind.page] ?? []),
    ...(kind.hasPattern ? [pattern] : []),
    ...(kind.hasRecords ? health : []),
    ...(kind.isNamed === true
      ? []
      : [{ ...plain('id', t`ID`), cell: ({ id }: Resource) => <code>{id}</code>, isExtra: true }]),
  ];
}

const Protocol = ({ name }: { readonly name: string }) => (
  <>
    {protocolName(name)}
    {PROTOCOL_HINT[name] !== undefined && <span className="dim"> {PROTOCOL_HINT[name]}</span>}
  </>
);

/** The newest record of a receiver, as it comes in; it is asked for rows that are seen. */
function Last({ id }: { readonly id: string }) {
  const found = useAnswer(
    'getRecordByDomain',
    { domain: domain.value, bridge: id, limit: '1' },
    { everyMs: LAST_STEP_MS },
  );
  const at = found.data?.records[0]?.at;
  if (found.isPending) return <span className="dim">…</span>;
  return at === undefined ? (
    <span className="dim">
      <Trans>none yet</Trans>
    </span>
  ) : (
    <Ago at={at} />
  );
}
