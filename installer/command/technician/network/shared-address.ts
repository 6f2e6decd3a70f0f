import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Listens } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../../../exit-code.ts';
import { textOf } from '../../../io/host/appliance-unit.ts';
import { run } from '../../../io/host/host-program.ts';
import { vipFacts } from '../../../io/network/vip-info.ts';
import {
  isOurVip,
  keepalivedText,
  layout,
  type VipChange,
  type VipPlace,
  type VipStep,
  vipPlace,
} from '../../../plan/index.ts';
import type { Finding } from '../../../preflight/index.ts';
import type { Acts } from '../terminal/conduct.ts';
import type { Person } from '../terminal/person.ts';
import type { ApplianceSettings } from '../terminal/settings.ts';

/** Three missing advertisements, twice (RFC 5798 6.1), and the check before. */
const UP_WITHIN_MS = 15_000;
const LOOK_MS = 100;
const HTTPS_PORT = 8_443;

/** The role of this host for the address that its site shares; undefined: no address is wanted. */
export async function wantedVip(settings: ApplianceSettings): Promise<VipStep | undefined> {
  const { vip, vipHosts: hosts, vipId = 51, applianceHttp, sipUdp, sipTcp, sipTls, sipWss } = settings;
  if (vip === undefined || vip === 'off') return undefined;
  const sip = [sipUdp, sipTcp, sipTls, sipWss].flatMap((at) =>
    at === undefined || at === 'off' ? [] : hostsOf(at),
  );
  const request = {
    vip,
    hosts,
    routerId: vipId,
    webPort: applianceHttp?.port ?? HTTPS_PORT,
    listening: { sip, web: applianceHttp === undefined ? ['0.0.0.0'] : hostsOf(applianceHttp) },
  };
  return vipPlace(request, await vipFacts(request));
}

const hostsOf = ({ all }: Listens): readonly string[] => all.map(({ host }) => host);

/** As a point of the preflight. */
export function vipFinding(step: VipStep): Finding {
  if (step.kind === 'refused') {
    const { why, words } = step;
    return { id: 'vip', verdict: 'failure', found: Object.values(words).join(', '), text: why, words };
  }
  const { vip, interface: name } = step.place;
  return { id: 'vip', verdict: 'ok', found: `${vip}, ${name}`, text: 'vip', words: {} };
}

/** The change in a plan: an address that is not wanted any more is taken away when it was ours. */
export function vipChange(step: VipStep | undefined): VipChange {
  if (step?.kind === 'place') return step;
  return step === undefined && isOurVip(textOf(layout.keepalived) ?? '') ? { kind: 'remove' } : undefined;
}

/** The acts for it that a plan calls by name. */
export const vipActs = (change: VipChange, person: Person): Acts =>
  change?.kind === 'place'
    ? { 'vip-test': () => readByKeepalived(change.place, person), 'vip-up': () => up(change.place, person) }
    : {};

/** keepalived itself says whether it can read the text; it is nowhere yet where it would be used. */
async function readByKeepalived(place: VipPlace, person: Person): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-vip-'));
  try {
    const file = join(folder, 'keepalived.conf');
    writeFileSync(file, keepalivedText(place), { mode: 0o600 });
    const { code, out, err } = await run(['keepalived', `--use-file=${file}`, '--config-test']);
    if (code === 0) return;
    const reason = `${err}${out}`.trim().split('\n').at(-1) ?? '';
    throw new Stop(exitCode.wrongConfiguration, person.text('vip.refused', { reason }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Until keepalived has said who has the address: this host, another one, or that this one cannot have it. */
async function up({ vip }: VipPlace, person: Person): Promise<void> {
  for (const until = Date.now() + UP_WITHIN_MS; Date.now() < until; await pause(LOOK_MS)) {
    const runs = (await run(['systemctl', 'is-active', '--quiet', 'keepalived.service'])).code === 0;
    if (!runs || !existsSync(layout.vipState)) continue;
    const state = textOf(layout.vipState)?.trim() ?? '';
    person.record({ vip, state });
    person.line(person.text(state === 'MASTER' ? 'vip.here' : 'vip.elsewhere', { vip, state }));
    return;
  }
  throw new Stop(exitCode.unexpected, person.text('vip.silent', { seconds: UP_WITHIN_MS / 1_000 }));
}
