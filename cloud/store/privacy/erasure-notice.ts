import { type Notice, note, type Tx } from '../sql/store.ts';

/** Says, with the commit, that personal data of this tenant are erased: what was read before may name the person. */
export const noteErasure = (tx: Tx, tenant: string): unknown => note(tx, 'personalData', tenant);

/** The tenant of a notice; undefined: it is about something else. */
export const notedErasure = ({ kind, id }: Notice): string | undefined =>
  kind === 'personalData' ? id : undefined;
