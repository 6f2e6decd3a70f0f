import { schema as receiver } from 'virtual:contract/alarmBridgeRequestSchema';
import { schema as sender } from 'virtual:contract/alarmEventMapperRequestSchema';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useLive } from '../../client/live.ts';
import { useRest } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { CardTable } from '../../component/card-table.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { WhoMay } from '../../component/who-may.tsx';
import { Drafts } from '../bridge/draft.tsx';
import { type Kind, RECEIVER, SENDER } from '../setup/kind.ts';
import { SetupEditor } from '../setup/setup-editor.tsx';
import { useReferrers } from '../setup/used-by.tsx';
import { type Mapped, readMapped } from './mapped.ts';

const PAGE = 'event-map';
const STEP_MS = 30_000;

/** All event maps, or behind the address the one of a receiver (`bridge/…`) or of a sender (`sender/…`). */
export function EventMapPage() {
  const { t } = useLingui();
  const [page, id] = useRest().split('/');
  const kind = [RECEIVER, SENDER].find((each) => each.page === page);
  if (kind?.mapField === undefined || id === undefined) return <EventMaps />;
  return (
    <SetupEditor
      key={`${page}/${id}`}
      kind={kind}
      schema={kind === RECEIVER ? receiver : sender}
      opening={{ id, isCopy: false, isDraft: false }}
      only={{ field: kind.mapField, page: PAGE, all: t`All event maps` }}
    />
  );
}

function EventMaps() {
  const { t } = useLingui();
  const live = useLive(readMapped, [domain.value], STEP_MS);
  const { value: all, failure, at, again } = live;
  const isEmpty = all?.every(({ rules }) => rules === 0);
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Event maps</Trans>
        </h1>
        <p className="dim about">
          <Trans>
            Rules by which an alarm receiver tells its application, and an event sender another centre, an
            event in another shape, at another path, or not at all.
          </Trans>
        </p>
      </header>
      <WhoMay need="provision" />
      <Drafts done={again} of={[RECEIVER.page, SENDER.page]} />
      <Stale failure={failure} at={at} />
      {isEmpty === true && (
        <EmptyState
          title={t`No event map yet`}
          action={
            <PageLink page="bridge" className="button">
              <Trans>To the alarm receivers</Trans>
            </PageLink>
          }
          command={`curl -X PATCH '${location.origin}/provisioning/alarmbridge/${domain.value}/ID' -H 'Content-Type: application/merge-patch+json' -d '{"customEventMap":{"rules":[{"when":{"alarmEvent.deviceType":"fallDetector"},"path":"/fall"}]}}'`}
        >
          <Trans>
            Without a map each event is sent in its own shape, which is right for most applications. A map is
            a field of an alarm receiver or event sender: choose one below to write its first rule.
          </Trans>
        </EmptyState>
      )}
      {all !== undefined && all.length > 0 && (
        <CardTable columns={[t`Name`, t`Kind`, t`Rules`, t`Used by`]}>
          <tbody>
            {all.map((each) => (
              <Row key={`${each.kind.page} ${each.id}`} of={each} />
            ))}
          </tbody>
        </CardTable>
      )}
    </>
  );
}

function Row({ of }: { readonly of: Mapped }) {
  const { t } = useLingui();
  const { kind, id, name, rules, drops } = of;
  return (
    <tr>
      <td>
        <PageLink page={PAGE} rest={`${kind.page}/${id}`}>
          <strong>{name}</strong>
        </PageLink>
      </td>
      <td>{kind === RECEIVER ? t`Alarm receiver` : t`Event sender`}</td>
      <td>
        {rules === 0 ? (
          <span className="dim">
            <Trans>no map: its own shape</Trans>
          </span>
        ) : (
          <Plural value={rules} one="# rule" other="# rules" />
        )}
        {drops > 0 && (
          <>
            {' '}
            <span className="label warn">
              <Plural value={drops} one="# sends nothing" other="# send nothing" />
            </span>
          </>
        )}
      </td>
      <td>
        <Users kind={kind} id={id} />
      </td>
    </tr>
  );
}

/** A receiver has its map for itself; a sender sends for the receivers that name it. */
function Users({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { data } = useReferrers(kind, id);
  if (kind === RECEIVER)
    return (
      <span className="dim">
        <Trans>its own alarms</Trans>
      </span>
    );
  if (data === undefined) return null;
  const users = data.referrers.filter(({ draft }) => !draft);
  if (users.length === 0)
    return (
      <span className="dim">
        <Trans>no alarm receiver</Trans>
      </span>
    );
  return users.map(({ id: by, name }) => (
    <div key={by}>
      <PageLink page={RECEIVER.page} rest={by}>
        {name}
      </PageLink>
    </div>
  ));
}
