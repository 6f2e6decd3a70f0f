import { Trans, useLingui } from '@lingui/react/macro';
import type { Detail } from '../../client/host-detail.ts';
import { Ago } from '../../component/age.tsx';
import { noteText } from '../../component/step/note-words.ts';
import { type HostProblem, problemsOf } from '../../component/wording/host-problem.ts';

/** Everything that is wrong with this host: since when, why, and the next step. Nothing where all is well. */
export function Problems({ detail }: { readonly detail: Detail }) {
  const { t } = useLingui();
  const { conditions, overrides } = detail;
  const update = conditions.UpdatePending;
  const problems = problemsOf(detail);
  if (problems.length === 0 && overrides.length === 0 && update?.status !== true) return null;
  return (
    <section>
      <h2>
        <Trans>Problems</Trans>
      </h2>
      <ul className="conditions">
        {problems.map((problem) => (
          <Problem key={problem.key} problem={problem} detail={detail} />
        ))}
        {overrides.length > 0 && (
          <li>
            <strong>
              <Trans>Settings are overridden on site: {overrides.length}</Trans>
            </strong>
            <div className="dim">{t`Its tab Configuration shows each of them.`}</div>
          </li>
        )}
        {update?.status === true && (
          <li>
            <strong>
              <Trans>It waits for another version</Trans>
            </strong>{' '}
            <span className="dim">{noteText(update.message, t)}</span>
          </li>
        )}
      </ul>
    </section>
  );
}

function Problem({ problem, detail }: { readonly problem: HostProblem; readonly detail: Detail }) {
  const { t } = useLingui();
  const condition = problem.condition === undefined ? undefined : detail.conditions[problem.condition];
  const since = condition?.since ?? detail.connectivitySince;
  return (
    <li>
      <strong>{problem.title}</strong> {condition !== undefined && noteText(condition.message, t)}{' '}
      <span className="dim">
        <Trans>
          since <Ago at={since} />
        </Trans>
      </span>
      <div className="dim">{problem.next}</div>
    </li>
  );
}
