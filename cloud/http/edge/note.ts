import type { Hono } from 'hono';
import { hostNoteSchema } from '#shared/contract/feed/index.ts';
import { invalid } from '#shared/contract/invalid.ts';
import type { Sites } from '../../site/index.ts';
import { refusal } from '../routing/refusal.ts';
import { bodyOf } from './body.ts';

interface NoteEnv {
  Variables: { readonly uid: string };
}

/** POST /edge/v1/note: what a technician did at the machine (feed contract, `hostNoteSchema`). */
export function addHostNotes<E extends NoteEnv>(app: Hono<E>, sites: Sites, nowMs: () => number): void {
  app.post('/edge/v1/note', async (c) => {
    const note = hostNoteSchema.safeParse(await bodyOf(c.req));
    if (!note.success) return refusal(c, invalid(note.error));
    const uid = c.get('uid');
    const actor = { name: `host:${uid}`, address: '', requestId: '', at: nowMs() };
    const result = await sites.note(uid, note.data, actor);
    return result.ok ? c.json({ success: true }) : refusal(c, result.error);
  });
}
