import type { Hono } from 'hono';
import { wipeReportSchema } from '#shared/contract/feed/index.ts';
import { invalid } from '#shared/contract/invalid.ts';
import type { AdmittedHost, Sites } from '../../site/index.ts';
import { refusal } from '../routing/refusal.ts';
import { bodyOf } from './body.ts';

/** The requests that a leaving or quarantined host may still make. */
const LIMITED: { readonly [life: string]: readonly string[] } = {
  decommissioning: ['/edge/v1/twin', '/edge/v1/keys', '/edge/v1/wiped'],
  quarantined: ['/edge/v1/twin', '/edge/v1/keys'],
};

/** Whether the certificate of this host opens this path. */
export const opens = ({ lifecycle }: AdmittedHost, path: string): boolean =>
  LIMITED[lifecycle]?.includes(path) ?? true;

interface EdgeEnv {
  Variables: { readonly uid: string };
}

/** POST /edge/v1/wiped: the last word of a host (feed contract, `wipeReportSchema`). */
export function addWipeReport<E extends EdgeEnv>(app: Hono<E>, sites: Sites, nowMs: () => number): void {
  app.post('/edge/v1/wiped', async (c) => {
    const report = wipeReportSchema.safeParse(await bodyOf(c.req));
    if (!report.success) return refusal(c, invalid(report.error));
    const uid = c.get('uid');
    const actor = { name: `host:${uid}`, address: '', requestId: '', at: nowMs() };
    const result = await sites.report.wiped(uid, report.data, actor);
    return result.ok ? c.json({ success: true }) : refusal(c, result.error);
  });
}
