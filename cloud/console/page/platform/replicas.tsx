import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../client/query.ts';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Stale } from '../../component/notice.tsx';
import { type Replica, replicaFacts, shardRuns } from './replica-facts.ts';

const STEP_MS = 5_000;

/** The processes of the control plane: which live, which version each has, and whose hosts it observes. */
export function Replicas() {
  const { t } = useLingui();
  const answer = useAnswer('getPlatformReplica', { limit: '100' }, { everyMs: STEP_MS });
  const { data: value, dataUpdatedAt: at, error } = answer;
  return (
    <section id="replicas">
      <h2>
        <Trans>Control planes</Trans>
      </h2>
      <Stale failure={error?.message} at={at} />
      {value !== undefined && <Notices replicas={value.replicas} />}
      {value !== undefined && (
        <CardTable columns={[t`Machine`, t`State`, t`Version`, t`Shards`, t`Last seen`, t`Started`]}>
          <tbody>
            {value.replicas.map((replica) => (
              <Row key={replica.id} replica={replica} />
            ))}
          </tbody>
        </CardTable>
      )}
    </section>
  );
}

function Row({ replica }: { readonly replica: Replica }) {
  const { t } = useLingui();
  const { id, live, answering, machine, version, shards, lastSeenAt, leaseUntil, startedAt } = replica;
  return (
    <tr>
      <td>
        <strong>{machine ?? t`unknown`}</strong>
        <div className="dim">
          <code>{id}</code>
          {answering && (
            <>
              {' '}
              <Trans>answers this page</Trans>
            </>
          )}
        </div>
      </td>
      <td>
        <Badge word={live ? 'running' : 'failed'} text={live ? t`running` : t`lease ended`} />
        {!live && (
          <div className="dim">
            <Ago at={leaseUntil} />
          </div>
        )}
      </td>
      <td>{version ?? t`unknown`}</td>
      <td>
        {shards.length}
        {shards.length > 0 && <div className="dim">{shardRuns(shards)}</div>}
      </td>
      <td>
        <Ago at={lastSeenAt} />
      </td>
      <td>
        <Ago at={startedAt} />
      </td>
    </tr>
  );
}

/** Anything that the rows together say and that a person should act on. */
function Notices({ replicas }: { readonly replicas: readonly Replica[] }) {
  const { live, unowned, versions } = replicaFacts(replicas);
  return (
    <>
      <p className="dim">
        <Plural
          value={live}
          one="# process serves the deployment. A second one takes over when it ends; it needs PostgreSQL and an external broker."
          other="# processes share the 64 shards of hosts. Each serves the whole API; the owner of a shard observes its hosts."
        />
      </p>
      {unowned > 0 && (
        <p className="notice bad">
          <Plural
            value={unowned}
            one="The hosts of # shard are observed by no process. Another process takes it when its lease ends, after 10 s at most."
            other="The hosts of # shards are observed by no process. Other processes take them when their leases end, after 10 s at most."
          />
        </p>
      )}
      {versions.length > 1 && (
        <p className="notice">
          <Trans>
            Several versions serve the deployment: {versions.join(', ')}. That is right during a rolling
            upgrade only; upgrade the others, too.
          </Trans>
        </p>
      )}
    </>
  );
}
