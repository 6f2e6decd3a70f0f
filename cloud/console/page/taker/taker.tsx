import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useId } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { useAnswer } from '../../client/query.ts';
import { go, useRest, useSearchState } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Choice } from '../../component/choice.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { ErrorNotice } from '../../component/error-notice.tsx';
import { Head } from '../../component/head.tsx';
import { PageLink } from '../../component/page-link.tsx';

type Report = Operations['getProvisioningTakerByDestination']['answer'];
type Candidate = Report['candidates'][number];

/** The page of each kind of candidate. */
const PAGES: Readonly<Record<Candidate['kind'], string>> = {
  alarmBridge: 'bridge',
  mediaService: 'media-service',
  recordingService: 'recording-service',
  cloudSipUa: 'user-agent',
};
const MOST_HINTS = 50;
/** Destinations that are offered before one is entered. */
const MOST_OFFERED = 12;
const SETS = ['service', 'drafts'] as const;

/** The takers of a number, an account or a name, with the reasons for and against each candidate. */
export function TakerPage() {
  const { t } = useLingui();
  const destination = useRest();
  const [search, setSearch] = useSearchState();
  const set = search.with === 'drafts' ? 'drafts' : 'service';
  const input = {
    ...{ domain: domain.value, destination },
    ...(set === 'drafts' ? { provisory: 'true' as const } : {}),
  };
  const found = useAnswer('getProvisioningTakerByDestination', input, { enabled: destination !== '' });
  const seen = useAnswer('getRecordByDomainSeen', { domain: domain.value });
  const hints = useId();
  const ask = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('destination') ?? '').trim();
    if (text !== '') go('taker', text, search);
  };
  const called = (seen.data?.seen.seen ?? []).filter(({ role }) => role === 'to').slice(0, MOST_HINTS);
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Taker of a destination</Trans>
        </h1>
        <p className="dim about">
          <Trans>The control plane judges a destination with the functions that decide on a host.</Trans>
        </p>
      </header>
      <form className="line" onSubmit={ask} key={destination}>
        <label>
          <Trans>Number, account or name</Trans>
          <input name="destination" defaultValue={destination} list={hints} required />
        </label>
        <datalist id={hints}>
          {called.map(({ value }) => (
            <option key={value} value={value} />
          ))}
        </datalist>
        <button type="submit">
          <Trans>Show</Trans>
        </button>
      </form>
      <Choice
        name={t`Configuration`}
        words={SETS}
        texts={{ service: t`In service`, drafts: t`As if all drafts were promoted` }}
        chosen={set}
        onChoose={(word) => setSearch({ with: word === 'drafts' ? word : undefined })}
      />
      <ErrorNotice failure={found.error?.failure} />
      {destination === '' && (
        <EmptyState
          title={t`Enter a destination`}
          command={`curl ${location.origin}/provisioning/taker/${domain.value}/scaip`}
        >
          <Trans>
            A destination is what a device calls or names: a telephone number, a SIP address, the account of a
            DC-09 panel.
          </Trans>
        </EmptyState>
      )}
      {destination === '' && called.length > 0 && (
        <>
          <h2>
            <Trans>Called lately</Trans>
          </h2>
          <ul className="plain-list">
            {called.slice(0, MOST_OFFERED).map(({ value, lastAt }) => (
              <li key={value}>
                <PageLink page="taker" rest={value}>
                  {value}
                </PageLink>{' '}
                <span className="dim">
                  <Ago at={lastAt} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {found.data !== undefined && <Answer report={found.data} destination={destination} />}
    </>
  );
}

function Answer({ report, destination }: { readonly report: Report; readonly destination: string }) {
  const { t } = useLingui();
  const { candidates, forms, cut } = report;
  const takers = candidates.filter(({ verdict }) => verdict === 'takes');
  return (
    <>
      {takers.length === 0 ? (
        <p className="notice bad" role="alert">
          <Trans>
            Nothing takes <strong>{destination}</strong>. Calls and alarms to it are refused.
          </Trans>
        </p>
      ) : (
        <p className="notice" role="status">
          <strong>{takers.map(({ name }) => name).join(', ')}</strong>{' '}
          <Trans>
            takes <code>{destination}</code>.
          </Trans>
        </p>
      )}
      {forms.length > 1 && (
        <p className="dim">
          <Trans>It is also tried as</Trans> {forms.filter((form) => form !== destination).join(', ')}
        </p>
      )}
      {candidates.length > 0 && (
        <table className="candidates">
          <Head columns={[t`Candidate`, t`Verdict and reasons`]} />
          <tbody>
            {candidates.map((candidate) => (
              <CandidateRow key={`${candidate.kind} ${candidate.id}`} of={candidate} />
            ))}
          </tbody>
        </table>
      )}
      {cut && (
        <p className="dim">
          <Trans>There are more candidates than an answer holds.</Trans>
        </p>
      )}
    </>
  );
}

function CandidateRow({ of }: { readonly of: Candidate }) {
  const { t } = useLingui();
  const { kind, id, name, verdict, destinationMatch, order, reasons } = of;
  const kinds: Readonly<Record<Candidate['kind'], string>> = {
    alarmBridge: t`Alarm receiver`,
    mediaService: t`Media service`,
    recordingService: t`Recording service`,
    cloudSipUa: t`Cloud user agent`,
  };
  return (
    <tr>
      <td>
        <PageLink page={PAGES[kind]} rest={id}>
          <strong>{name}</strong>
        </PageLink>
        <div className="dim">{kinds[kind]}</div>
      </td>
      <td>
        <Verdict word={verdict} />
        {reasons.map((reason) => (
          <p className="flat" key={reason}>
            {reason}
          </p>
        ))}
        <div className="dim">
          <code>{destinationMatch}</code> · <Trans>order {order}</Trans>
        </div>
      </td>
    </tr>
  );
}

const TONES: Readonly<Record<Candidate['verdict'], readonly [string, string]>> = {
  takes: ['good', '●'],
  shadowed: ['warn', '▲'],
  passedOver: ['warn', '▲'],
  noMatch: ['idle', '○'],
};

function Verdict({ word }: { readonly word: Candidate['verdict'] }) {
  const { t } = useLingui();
  const words: Readonly<Record<Candidate['verdict'], string>> = {
    takes: t`takes it`,
    shadowed: t`another one precedes it`,
    passedOver: t`matches, but is passed over`,
    noMatch: t`does not match`,
  };
  const [tone, sign] = TONES[word];
  return (
    <span className={`badge ${tone}`}>
      <span aria-hidden="true">{sign}</span> {words[word]}
    </span>
  );
}
