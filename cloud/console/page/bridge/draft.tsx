import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { Differences } from '../../component/revision/difference.tsx';
import { fieldChanges } from '../../text/field-change.ts';

type Configuration = Operations['getProvisioningConfiguration']['answer']['configuration'];

const STEP_MS = 20_000;
/** Kinds that have drafts, as people call one of them. */
const KINDS = {
  alarmbridges: msg`Alarm receiver`,
  alarmeventmappers: msg`Event sender`,
  cloudsipuas: msg`Cloud user agent`,
  trunks: msg`Trunk`,
} as const;
type Kind = keyof typeof KINDS;
/** The page on which one of a kind is edited. */
const PAGES: Readonly<Record<Kind, string>> = {
  alarmbridges: 'bridge',
  alarmeventmappers: 'sender',
  cloudsipuas: 'user-agent',
  trunks: 'trunk',
};

interface Draft {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  /** Undefined: there is none of this id in service. */
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Drafts beside what is in service: what promoting each would change. `empty`: shown where there is no draft, on the page that is
 * about nothing else. `of`: the pages whose drafts are shown; absent: all.
 */
export function Drafts(props: {
  readonly done: () => void;
  readonly empty?: ReactNode;
  readonly of?: readonly string[];
}) {
  const { done, empty, of } = props;
  const { t, i18n } = useLingui();
  const live = useLive(read, [domain.value], STEP_MS);
  const { value, at, failure, again } = live;
  const drafts = value?.filter(({ kind }) => of?.includes(PAGES[kind]) ?? true);
  if (drafts === undefined || drafts.length === 0)
    return (
      <>
        <Stale failure={failure} at={at} />
        {drafts?.length === 0 && empty}
      </>
    );
  const promote = (body: Partial<Record<Kind, string[]>>) => () =>
    api.call('postProvisioningConfigurationPromote', { domain: domain.value, body });
  const promoted = (): void => {
    again();
    done();
  };
  const every = Object.fromEntries(
    [...Map.groupBy(drafts, ({ kind }) => kind)].map(([kind, all]) => [kind, all.map(({ id }) => id)]),
  );
  return (
    <section>
      {empty === undefined && (
        <h2>
          <Trans>Drafts</Trans>
        </h2>
      )}
      <p className="dim flat">
        <Trans>
          They are stored and judged, and no site knows of them. Promoted, they reach all sites as one
          revision.
        </Trans>
      </p>
      <Stale failure={failure} at={at} />
      {drafts.map((draft) => (
        <details key={`${draft.kind} ${draft.id}`}>
          <summary>
            {i18n._(KINDS[draft.kind])} {draft.name}
            {draft.before === undefined && ` (${t`new`})`}
          </summary>
          <Changes draft={draft} />
          <PageLink page={PAGES[draft.kind]} rest={`draft/${draft.id}`}>
            <Trans>Edit it</Trans>
          </PageLink>{' '}
          {mayProvision.value && draft.kind === 'alarmbridges' && (
            <PageLink page="try-on-history" rest={draft.id}>
              <Trans>Try on history</Trans>
            </PageLink>
          )}{' '}
          {mayProvision.value && (
            <Act plain label={t`Promote it`} run={promote({ [draft.kind]: [draft.id] })} done={promoted} />
          )}
        </details>
      ))}
      {mayProvision.value && drafts.length > 1 && (
        <div className="acts">
          <Act label={t`Promote these ${drafts.length}`} run={promote(every)} done={promoted} />
          {drafts.filter(({ kind }) => kind === 'alarmbridges').length > 1 && (
            <PageLink page="try-on-history">
              <Trans>Try all drafts on history</Trans>
            </PageLink>
          )}
        </div>
      )}
    </section>
  );
}

function Changes({ draft: { before, after } }: { readonly draft: Draft }) {
  const { t } = useLingui();
  const changes = fieldChanges(before, after);
  if (changes.length === 0)
    return (
      <p className="dim">
        <Trans>It is the same as what is in service.</Trans>
      </p>
    );
  return <Differences of={changes} titles={[t`In service`, t`Draft`]} />;
}

async function read() {
  const [live, provisory] = await Promise.all([
    api.call('getProvisioningConfiguration', { domain: domain.value }),
    api.call('getProvisioningConfiguration', { domain: domain.value, provisory: 'true' }),
  ]);
  if (!live.ok) return live;
  if (!provisory.ok) return provisory;
  const value = draftsOf(live.value.configuration, provisory.value.configuration);
  return { ok: true as const, value };
}

function draftsOf(live: Configuration, provisory: Configuration): Draft[] {
  return (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const current = new Map(rowsOf(live, kind).map((row) => [row.id, row]));
    return rowsOf(provisory, kind).map((row) => ({
      kind,
      id: row.id,
      name: row.name ?? row.id,
      before: current.get(row.id),
      after: row,
    }));
  });
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly name?: string };

const rowsOf = (configuration: Configuration, kind: Kind): readonly Row[] =>
  (configuration[kind] ?? []) as unknown as readonly Row[];
