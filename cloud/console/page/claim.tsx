import { useSignal } from '@preact/signals';
import qrcode from 'qrcode-generator';
import { api } from '../api.ts';
import { Ago } from '../part/age.tsx';
import { domain } from '../session.ts';

/** Makes a claim code: what a machine shows to become a host of the site. */
export function ClaimForm({ siteId }: { readonly siteId: string }) {
  const made = useSignal<{ readonly code: string; readonly expiresAt: number } | undefined>(undefined);
  const refused = useSignal('');
  const make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const hostId = String(given.get('hostId') ?? '').trim();
    const answer = await api.call('postSiteByDomainBySiteIdClaim', {
      domain: domain.value,
      siteId,
      body: { ...(hostId === '' ? {} : { hostId }), autoCommission: given.get('autoCommission') !== null },
    });
    refused.value = answer.ok ? '' : answer.error.reason;
    if (answer.ok) made.value = { code: answer.value.claimCode, expiresAt: answer.value.expiresAt };
  };
  if (made.value !== undefined) return <Made siteId={siteId} {...made.value} />;
  return (
    <form onSubmit={(event) => void make(event)}>
      <label>
        Name of the host (optional)
        <input
          name="hostId"
          pattern="[a-z0-9][a-z0-9\-]*"
          placeholder="as the machine is called"
          maxLength={63}
        />
      </label>
      <label class="check">
        <input name="autoCommission" type="checkbox" defaultChecked /> It comes into service by itself
      </label>
      <button type="submit">Make a claim code</button>
      <p class="refused" role="alert">
        {refused.value}
      </p>
    </form>
  );
}

function Made(props: { readonly siteId: string; readonly code: string; readonly expiresAt: number }) {
  const command = `carillon enrol --cloud ${location.origin} --claim ${props.code}`;
  return (
    <div class="claim">
      <Code text={command} />
      <p>
        On the machine: <code>{command}</code>
      </p>
      <p class="dim">
        Good until {new Date(props.expiresAt).toLocaleString()}, for one machine. Made <Ago at={Date.now()} />
        ; it is not shown again.
      </p>
    </div>
  );
}

/** The QR code as one path; the quiet zone is the frame's white. */
function Code({ text }: { readonly text: string }) {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const cells = Array.from({ length: size * size }, (_, at) => [Math.floor(at / size), at % size] as const);
  const path = cells
    .filter(([row, column]) => code.isDark(row, column))
    .map(([row, column]) => `M${column + 4} ${row + 4}h1v1h-1z`)
    .join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size + 8} ${size + 8}`} role="img" aria-label="QR code of the claim">
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
