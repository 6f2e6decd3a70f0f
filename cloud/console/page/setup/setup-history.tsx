import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import { mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { ErrorNotice } from '../../component/error-notice.tsx';
import { useFieldWords } from '../../component/form/field-words.ts';
import { words } from '../../component/form/schema.ts';
import { Actor } from '../../component/revision/actor.tsx';
import { Differences } from '../../component/revision/difference.tsx';
import type { Kind } from './kind.ts';
import { type Change, readHistory, restore, type Version } from './resource.ts';

/** Versions of a resource, newest first: who changed which fields, and the way back to each. */
export function SetupHistory(props: { readonly kind: Kind; readonly id: string; readonly done: () => void }) {
  const { kind, id, done } = props;
  const { t } = useLingui();
  const [versions, setVersions] = useState<readonly Version[]>();
  const [failure, setFailure] = useState<CallFailure>();
  useEffect(() => {
    let over = false;
    void readHistory(kind, id).then((answer) => {
      if (over) return;
      if (answer.ok) setVersions(answer.value.versions);
      else setFailure(answer.error);
    });
    return () => {
      over = true;
    };
  }, [kind, id]);
  return (
    <section className="setup-history">
      <h2>
        <Trans>History</Trans>
      </h2>
      <ErrorNotice failure={failure} />
      {versions?.length === 0 && (
        <p className="dim">
          <Trans>The audit log has no version of it: it is older than the log.</Trans>
        </p>
      )}
      {versions?.map((version, at) => (
        <details key={version.seq}>
          <summary>
            <Ago at={version.at} /> · <Actor of={version.actor} isPlain /> ·{' '}
            <Fields of={version.changed} isFirst={at === versions.length - 1} />
          </summary>
          {version.changed.length > 0 && <Differences of={version.changed} />}
          {mayProvision.value && (
            <Back
              // The way back from the newest version is the one before it.
              to={at === 0 ? versions[1] : version}
              name={at === 0 ? t`Undo this change` : t`Back to this`}
              run={(seq) => restore(kind, id, seq)}
              done={done}
            />
          )}
        </details>
      ))}
    </section>
  );
}

function Fields({ of, isFirst }: { readonly of: readonly Change[]; readonly isFirst: boolean }) {
  const say = useFieldWords() ?? ((english: string) => english);
  if (of.length === 0) return <Trans>no field changed</Trans>;
  // The first version has every field: a list of all of them says nothing.
  if (isFirst && of.every(({ before }) => before === undefined)) return <Trans>created</Trans>;
  const names = new Set(of.map(({ path }) => say(words(path.split('/')[1] ?? ''))));
  return <span className="dim">{[...names].join(', ')}</span>;
}

/** First what the way back would change, then the way back; nothing where there is none. */
function Back(props: {
  readonly to: Version | undefined;
  readonly name: string;
  readonly run: (seq: number) => ReturnType<typeof restore>;
  readonly done: () => void;
}) {
  const { to, name, run, done } = props;
  const { t } = useLingui();
  if (to === undefined || to.body === undefined || to.toToday.length === 0) return null;
  return (
    <details>
      <summary>{name}</summary>
      <p className="dim">
        <Trans>These fields change. Secrets stay those of today.</Trans>
      </p>
      <Differences
        of={to.toToday.map(({ path, before, after }) => ({ path, before: after, after: before }))}
      />
      <Act label={t`Go back to this version`} run={() => run(to.seq)} done={done} />
    </details>
  );
}
