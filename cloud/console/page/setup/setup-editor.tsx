import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import { useAnswer } from '../../client/query.ts';
import { go } from '../../client/route.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { ErrorNotice } from '../../component/error-notice.tsx';
import { fieldsOf, type Schema, type Values } from '../../component/form/schema.ts';
import { type FormSection, SchemaForm } from '../../component/form/schema-form.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { WhoMay } from '../../component/who-may.tsx';
import { type Kind, RECEIVER, TRUNK } from './kind.ts';
import { useKindWords } from './kind-words.ts';
import { usePartTrials } from './part-trial.tsx';
import { Remove } from './remove.tsx';
import { copyOf, type Resource, readOne, saved, writable, write } from './resource.ts';
import { useParts } from './section.ts';
import { SetupHistory } from './setup-history.tsx';
import { TrunkUsers } from './trunk-users.tsx';
import { UsedBy } from './used-by.tsx';

interface Opened {
  readonly resource: Resource;
  readonly etag: string;
}

/** A page on which one field of a resource is edited: the other fields stay as they are. */
interface FieldPage {
  readonly field: string;
  readonly page: string;
  readonly all: string;
}

/** How the editor was opened: on a new resource, a copy, a draft, or one in service. */
export interface Opening {
  readonly id?: string;
  readonly isCopy: boolean;
  readonly isDraft: boolean;
}

/** One resource of a kind: its fields by parts, its copy, its removal, its history and its users. */
export function SetupEditor(props: {
  readonly kind: Kind;
  readonly schema: Schema;
  readonly opening: Opening;
  /** A page about one field of the resource. */
  readonly only?: FieldPage;
}) {
  const { kind, schema, opening, only } = props;
  const { t } = useLingui();
  const words = useKindWords(kind);
  const { id, isCopy, isDraft } = opening;
  const [opened, setOpened] = useState<Opened>();
  const [failure, setFailure] = useState<CallFailure>();
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn reads the same resource again
  useEffect(() => {
    if (id === undefined) return undefined;
    let over = false;
    void readOne(kind, id, isDraft).then((answer) => {
      if (over) return;
      if (answer.ok) setOpened(answer.value);
      setFailure(answer.ok ? undefined : answer.error);
    });
    return () => {
      over = true;
    };
  }, [kind, id, isDraft, turn]);
  /** Form and history begin once more: an earlier version is the present one now. */
  const readAgain = (): void => {
    setOpened(undefined);
    setTurn(turn + 1);
  };
  const name = opened?.resource.name ?? id ?? '';
  const isNew = id === undefined || isCopy;
  const stored = id === undefined ? {} : opened && writable(opened.resource);
  return (
    <>
      <header className="page">
        <h1>{id === undefined ? words.create : isCopy ? <Trans>Copy of {name}</Trans> : name}</h1>
        {isDraft && (
          <span className="badge busy">
            <Trans>Draft</Trans>
          </span>
        )}
        {only !== undefined && <PageLink page={only.page}>{only.all}</PageLink>}
        {only === undefined ? (
          <PageLink page={kind.page}>{words.all}</PageLink>
        ) : (
          <PageLink page={kind.page} rest={id ?? ''}>
            <Trans>All its fields</Trans>
          </PageLink>
        )}
        {!isNew && only === undefined && mayProvision.value && (
          <PageLink page={kind.page} rest={`copy/${id}`}>
            <Trans>Duplicate</Trans>
          </PageLink>
        )}
      </header>
      <WhoMay need="provision" />
      <ErrorNotice failure={failure} />
      {stored !== undefined && (
        <Editor
          key={`${turn} ${id}`}
          kind={kind}
          schema={schema}
          opening={opening}
          stored={isCopy ? copyOf(stored, kind.isNamed === true ? `${name}-2` : t`Copy of ${name}`) : stored}
          etag={opened?.etag ?? ''}
          only={only}
        />
      )}
      {!isNew && opened !== undefined && (
        <>
          {!isDraft && <UsedBy kind={kind} id={id} />}
          {kind === TRUNK && <TrunkUsers trunk={opened.resource} />}
          {!isDraft && <SetupHistory kind={kind} id={id} done={readAgain} />}
          {only === undefined && mayProvision.value && (
            <Remove kind={kind} id={id} name={name} isDraft={isDraft} />
          )}
        </>
      )}
    </>
  );
}

/** Names of the event senders by their ids, for the receiver that names one; a draft can name a draft. undefined: not known, or too many for a list. */
function useSenderNames(kind: Kind, isDraft: boolean): Readonly<Record<string, string>> | undefined {
  const asked = { domain: domain.value, limit: '100' };
  const isReceiver = kind === RECEIVER;
  const working = useAnswer('getProvisioningAlarmeventmapper', asked, { enabled: isReceiver });
  const drafts = useAnswer(
    'getProvisioningAlarmeventmapper',
    { ...asked, provisory: 'true' },
    { enabled: isReceiver && isDraft },
  );
  const lists = isDraft ? [working.data, drafts.data] : [working.data];
  if (lists.some((list) => list === undefined || list.nextToken !== undefined)) return undefined;
  return Object.fromEntries(
    lists.flatMap((list) => (list?.alarmeventmappers ?? []).map(({ id, name }) => [id, name ?? id])),
  );
}

function Editor(props: {
  readonly kind: Kind;
  readonly schema: Schema;
  readonly opening: Opening;
  readonly stored: Values;
  readonly etag: string;
  readonly only: FieldPage | undefined;
}) {
  const { kind, schema, stored, etag, opening, only } = props;
  const { t } = useLingui();
  const parts = useParts(kind);
  // Another person has saved meanwhile: the next write goes over that version.
  const latest = useRef(etag);
  const name = useRef('');
  const id = opening.isCopy ? undefined : opening.id;
  const draft = { provisory: 'true' };
  const target = opening.isDraft ? draft : {};
  const senders = useSenderNames(kind, opening.isDraft);
  const trialOf = usePartTrials(kind, id, only !== undefined);
  const shown = only === undefined ? parts : [{ id: only.field, title: '', fields: [only.field] }];
  const sections: readonly FormSection[] = shown.map((part) => {
    const after = trialOf(part.fields);
    return { ...part, ...(after === undefined ? {} : { after }) };
  });
  const readAgain = async (): Promise<Values | undefined> => {
    const answer = await readOne(kind, id ?? '', opening.isDraft);
    if (!answer.ok) return undefined;
    latest.current = answer.value.etag;
    return writable(answer.value.resource);
  };
  return (
    <SchemaForm
      draft={`${kind.page}/${domain.value}/${opening.isCopy ? 'copy/' : ''}${opening.isDraft ? 'draft/' : ''}${opening.id ?? 'new'}`}
      schema={schema}
      stored={opening.isCopy ? {} : stored}
      {...(opening.isCopy ? { begin: stored } : {})}
      sections={sections}
      references={senders === undefined ? {} : { '/alarmEventMapperId': senders }}
      {...(only === undefined
        ? {}
        : {
            hidden: (values: Values) =>
              fieldsOf(schema, values).flatMap(({ name }) => (name === only.field ? [] : [name])),
          })}
      check={(values) => write(kind, id, values, { ...target, dryRun: 'true' })}
      save={(values) => {
        name.current = String(values.name ?? id ?? '');
        return write(kind, id, values, target, latest.current);
      }}
      {...(kind.hasDraft && !opening.isDraft
        ? {
            alternative: {
              label: t`Keep as a draft`,
              save: (values: Values) => write(kind, id, values, draft),
            },
          }
        : {})}
      {...(id === undefined ? {} : { readAgain })}
      done={() => {
        if (name.current !== '') saved.value = { page: kind.page, name: name.current };
        go(only?.page ?? kind.page);
      }}
    />
  );
}
