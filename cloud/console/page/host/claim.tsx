import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { QrCode } from '../../component/qr-code.tsx';
import { MOMENT } from '../../component/wording/figure.ts';

/** `a=1, b` to the labels or serial numbers it names. */
const listOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

const DAY_S = 86_400;

/** Makes a claim code: what a machine shows to become a host of the site. */
export function ClaimForm({ siteId }: { readonly siteId: string }) {
  const { t } = useLingui();
  const [made, setMade] = useState<Omit<EnrolProps, 'siteId'> | undefined>(undefined);
  const [refused, setRefused] = useState('');
  const make = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const hostId = String(given.get('hostId') ?? '').trim();
    const labels = listOf(given.get('labels'));
    const serials = listOf(given.get('serials'));
    const uses = Number(given.get('uses'));
    const answer = await api.call('postSiteByDomainBySiteIdClaim', {
      domain: domain.value,
      siteId,
      body: {
        ...(hostId === '' ? {} : { hostId }),
        ...(labels.length === 0 ? {} : { labels }),
        ...(serials.length === 0 ? {} : { serials }),
        uses,
        expiresIn: DAY_S * Number(given.get('days')),
        autoCommission: given.get('autoCommission') !== null,
      },
    });
    setRefused(answer.ok ? '' : answer.error.reason);
    if (answer.ok) setMade({ ...codesOf(answer.value), uses });
  };
  if (made !== undefined) return <Enrol {...made} siteId={siteId} />;
  return (
    <form onSubmit={(event) => void make(event)}>
      <label>
        <Trans>Name of the host (optional)</Trans>
        <input
          name="hostId"
          pattern="[a-z0-9][a-z0-9\-]*"
          placeholder={t`as the machine is called`}
          maxLength={63}
        />
      </label>
      <label>
        <Trans>Labels (optional, by comma)</Trans>
        <input name="labels" placeholder={t`rack=2, power=ups`} />
      </label>
      <label className="check">
        <input name="autoCommission" type="checkbox" defaultChecked />{' '}
        <Trans>It comes into service by itself</Trans>
      </label>
      <details>
        <summary>
          <Trans>More</Trans>
        </summary>
        <label>
          <Trans>Only machines with these serial numbers (by comma)</Trans>
          <input name="serials" />
        </label>
        <div className="line">
          <label>
            <Trans>For how many machines</Trans>
            <input name="uses" type="number" min="1" max="1000" defaultValue="1" />
          </label>
          <label>
            <Trans>Good for how many days</Trans>
            <input name="days" type="number" min="1" max="30" defaultValue="3" />
          </label>
        </div>
      </details>
      <button type="submit">
        <Trans>Create a claim code</Trans>
      </button>
      <p className="refused" role="alert">
        {refused}
      </p>
    </form>
  );
}

export interface EnrolProps {
  /** To type. */
  readonly code: string;
  /** To scan or to carry as a file. */
  readonly longCode: string;
  readonly expiresAt: number;
  /** Machines it is good for; absent: one. */
  readonly uses?: number;
  readonly siteId: string;
}

/** As the control plane answers them, for `Enrol`. */
export const codesOf = (made: ApiCodes) => ({
  code: made.claimCode,
  longCode: made.longCode,
  expiresAt: made.expiresAt,
});

interface ApiCodes {
  readonly claimCode: string;
  readonly longCode: string;
  readonly expiresAt: number;
}

/** The steps on the machine, to be read or scanned. */
export function Enrol({ code, longCode, expiresAt, uses = 1, siteId }: EnrolProps) {
  const { t, i18n } = useLingui();
  const until = i18n.date(expiresAt, MOMENT);
  const commandWith = (claim: string) => `carillon enrol --cloud ${location.origin} --claim ${claim}`;
  return (
    <div className="claim">
      <QrCode of={t`the claim`} text={commandWith(longCode)} />
      <p>
        <Trans>
          On the machine: <code>{commandWith(code)}</code>
        </Trans>
      </p>
      <p>
        <Trans>
          <a href={`/site/${domain.value}/${siteId}/claim/${longCode}/file`} download>
            Save it as a file
          </a>{' '}
          for a machine without a keyboard.
        </Trans>
      </p>
      <p className="dim">
        <Trans>
          The machine shows the fingerprint of its key then; the page of the host must show the same.
        </Trans>
      </p>
      <p className="dim">
        {uses === 1
          ? t`Good until ${until}, for one machine; it is not shown again.`
          : t`Good until ${until}, for ${uses} machines; it is not shown again.`}
      </p>
    </div>
  );
}
