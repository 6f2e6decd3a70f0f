import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import type { Detail, HostPath } from '../../client/host-detail.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Head } from '../../component/head.tsx';
import { type Changed, Difference } from '../../component/revision/revision-difference.tsx';
import { scopeWord } from '../../component/revision/scope-words.ts';
import { MOMENT } from '../../component/wording/figure.ts';

type Override = Detail['overrides'][number];

const SCOPES = ['tenant', 'site', 'host', 'platform'] as const;

/** Which revisions the host should have and has, what it refused and why, and what a person on site has set aside. */
export function Configuration({
  detail,
  path,
  done,
}: {
  readonly detail: Detail;
  readonly path: HostPath;
  readonly done: () => void;
}) {
  const { t } = useLingui();
  const [pending, setPending] = useState<readonly Changed[] | undefined>(undefined);
  const { wanted, applied, refused, lastKnownGood, kept } = detail.revisions;
  const behind = SCOPES.some((scope) => wanted[scope] > applied[scope]);
  const named = refused.flatMap(({ errors }) => errors.map(({ path: at }) => at));
  return (
    <>
      <table className="small">
        <Head columns={[t`Scope`, t`Desired`, t`Applied`, t`Last known good`]} />
        <tbody>
          {SCOPES.map((scope) => {
            return (
              <tr key={scope}>
                <td>{t(scopeWord(scope))}</td>
                <td className="number">{wanted[scope]}</td>
                <td className={`number ${wanted[scope] > applied[scope] ? 'refused' : ''}`}>
                  {applied[scope]}
                </td>
                <td className="number">{kept?.[scope] ?? t`not notified`}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {refused.map((refusal) => (
        <Refusal key={refusal.scope} refusal={refusal} />
      ))}
      <p className="dim">
        {lastKnownGood === false
          ? t`It is still being judged whether the engines are well with it; where they are not, the host goes back to the last known good revisions by itself.`
          : t`The applied configuration has passed the health gate: the host returns to it after a failure.`}
      </p>
      <p className="acts">
        {behind && (
          <Act
            plain
            label={t`Show differences`}
            run={async () => {
              const answer = await api.call('getSiteByDomainBySiteIdHostByHostIdDiff', path);
              if (answer.ok) setPending(answer.value.changes);
              return answer;
            }}
          />
        )}
        <Act
          plain
          label={t`Fetch the whole configuration again`}
          run={() =>
            api.call('postSiteByDomainBySiteIdHostByHostIdRpc', {
              ...path,
              body: { op: 'cfg.resync', args: {} },
            })
          }
          done={done}
        />
      </p>
      {pending !== undefined && <Difference changes={pending} named={named} />}
      <h3>
        <Trans>Set aside on site</Trans>
      </h3>
      {detail.overrides.length === 0 && (
        <p className="dim flat">
          <Trans>Nothing is overridden.</Trans>
        </p>
      )}
      {detail.overrides.map((override) => (
        <Overridden key={String(override.key)} override={override} path={path} done={done} />
      ))}
    </>
  );
}

type Refused = Detail['revisions']['refused'][number];

/** Which revision it did not take, where in it and why. */
function Refusal({ refusal }: { readonly refusal: Refused }) {
  const { t } = useLingui();
  const { scope, revision, errors, at } = refusal;
  const name = t(scopeWord(scope));
  return (
    <div className="notice bad">
      <strong>
        <Trans>
          It refused {name} {revision}
        </Trans>
      </strong>
      {at !== undefined && (
        <>
          {' '}
          <Ago at={at} />
        </>
      )}
      {': '}
      <Trans>what it has stays in force, and it is not offered this revision again.</Trans>
      <ul>
        {errors.map(({ code, path, msg }) => (
          <li key={`${path} ${code}`}>
            <code>{path || t`the whole revision`}</code>: {msg} <span className="dim">({code})</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Overridden(props: {
  readonly override: Override;
  readonly path: HostPath;
  readonly done: () => void;
}) {
  const { t, i18n } = useLingui();
  const { key, value, author, reason, expiresAt, pinned, drift } = props.override;
  return (
    <div className="notice">
      <Trans>
        <strong>{String(key)}</strong> = <code>{JSON.stringify(value)}</code> by {String(author)}:{' '}
        {String(reason)}
      </Trans>
      <p className="dim flat">
        {typeof expiresAt === 'number'
          ? t`Until ${i18n.date(expiresAt, MOMENT)}.`
          : t`Until a person clears it.`}{' '}
        {pinned === true && t`Held against later revisions.`}{' '}
        {drift === true && t`The configuration wants something else now.`}
      </p>
      <Act
        plain
        label={t`Clear it`}
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
