import { useSignal } from '@preact/signals';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../api.ts';
import { Act } from '../part/act.tsx';
import { Ago } from '../part/age.tsx';
import { Head } from '../part/head.tsx';
import type { Detail, HostPath } from './host.tsx';

type Change = Operations['getSiteByDomainBySiteIdHostByHostIdPending']['answer']['changes'][number];
type Override = Detail['overrides'][number];

const SCOPES = ['tenant', 'site', 'host', 'platform'] as const;

/** Which revisions the host should have and has, what it refused and why, and what somebody on site has set aside. */
export function Configuration({
  detail,
  path,
  done,
}: {
  readonly detail: Detail;
  readonly path: HostPath;
  readonly done: () => void;
}) {
  const pending = useSignal<readonly Change[] | undefined>(undefined);
  const { wanted, applied, refused, lastKnownGood } = detail.revisions;
  const behind = SCOPES.some((scope) => wanted[scope] > applied[scope]);
  return (
    <>
      <table class="small">
        <Head columns={['What', 'Wanted', 'Applied', 'Refused']} />
        <tbody>
          {SCOPES.map((scope) => {
            const no = refused.find((each) => each.scope === scope);
            return (
              <tr key={scope}>
                <td>{scope}</td>
                <td class="number">{wanted[scope]}</td>
                <td class={`number ${wanted[scope] > applied[scope] ? 'refused' : ''}`}>{applied[scope]}</td>
                <td>
                  {no !== undefined && (
                    <span class="refused">
                      {no.revision}: {no.errors.map(({ path: at, msg }) => `${at} ${msg}`).join('; ')}
                    </span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="dim">
        {lastKnownGood === false
          ? 'It is still being judged whether the engines are well with it.'
          : 'What is applied has been judged good and is kept as such.'}
      </p>
      <p class="acts">
        {behind && (
          <Act
            plain
            label="What is missing?"
            run={async () => {
              const answer = await api.call('getSiteByDomainBySiteIdHostByHostIdPending', path);
              if (answer.ok) pending.value = answer.value.changes;
              return answer;
            }}
          />
        )}
        <Act
          plain
          label="Fetch everything again"
          run={() =>
            api.call('postSiteByDomainBySiteIdHostByHostIdRpc', {
              ...path,
              body: { op: 'cfg.resync', args: {} },
            })
          }
          done={done}
        />
      </p>
      {pending.value !== undefined && <Missing changes={pending.value} />}
      <h3>Set aside on site</h3>
      {detail.overrides.length === 0 && <p class="dim flat">Nothing is overridden.</p>}
      {detail.overrides.map((override) => (
        <Overridden key={String(override.key)} override={override} path={path} done={done} />
      ))}
    </>
  );
}

function Missing({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return <p class="dim">Nothing any more.</p>;
  return (
    <ul class="plain-list">
      {changes.map(({ scope, revision, entity, id, op, at }) => (
        <li key={`${scope} ${revision} ${entity} ${id}`}>
          {scope} {revision}: {op === 'put' ? 'write' : 'delete'} {entity} <code>{id}</code>{' '}
          <span class="dim">
            <Ago at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Overridden(props: {
  readonly override: Override;
  readonly path: HostPath;
  readonly done: () => void;
}) {
  const { key, value, author, reason, expiresAt, pinned, drift } = props.override;
  return (
    <div class="notice">
      <strong>{String(key)}</strong> = <code>{JSON.stringify(value)}</code> by {String(author)}:{' '}
      {String(reason)}
      <p class="dim flat">
        {typeof expiresAt === 'number'
          ? `Until ${new Date(expiresAt).toLocaleString()}.`
          : 'Until somebody clears it.'}
        {pinned === true && ' Held against later revisions.'}
        {drift === true && ' The configuration wants something else now.'}
      </p>
      <Act
        plain
        label="Clear it"
        run={() =>
          api.call('postSiteByDomainBySiteIdHostByHostIdRpc', {
            ...props.path,
            body: { op: 'override.clear', args: { key } },
          })
        }
        done={props.done}
      />
    </div>
  );
}
