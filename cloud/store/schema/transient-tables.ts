import type { NameTries } from '#shared/authorize/index.ts';
import type { Columns } from './columns.sqlite.ts';

/** Nothing came yet; its pieces come; all of them are there. */
export type UploadState = 'open' | 'arriving' | 'there';

/** Rows that live for minutes or hours, by which replicas act as one. Times are epoch ms. */
export function transientTables(c: Columns) {
  return {
    loginAttempt: c.table(
      'login_attempt',
      {
        /** SHA-256 of the name that was typed, hex: it need not be that of a person. */
        name: c.text('name').primaryKey(),
        body: c.json<NameTries>('body').notNull(),
        expiresAt: c.int('expires_at').notNull(),
      },
      (t) => [c.index('login_attempt_expires').on(t.expiresAt)],
    ),
    wrongClaim: c.table(
      'wrong_claim',
      {
        id: c.text('id').primaryKey(),
        network: c.text('network').notNull(),
        at: c.int('at').notNull(),
        /** The platform got a note of this one. */
        told: c.bool('told').notNull(),
      },
      (t) => [c.index('wrong_claim_network').on(t.network, t.at), c.index('wrong_claim_at').on(t.at)],
    ),
    /** Documents that a replica has asked a host for, and that may reach another one. */
    upload: c.table(
      'upload',
      {
        /** The secret part of its address. */
        id: c.text('id').primaryKey(),
        tenant: c.text('tenant').notNull(),
        uid: c.text('uid').notNull(),
        state: c.text('state').$type<UploadState>().notNull(),
        /** A host that has not begun by then is too late. */
        dueAt: c.int('due_at').notNull(),
        expiresAt: c.int('expires_at').notNull(),
      },
      (t) => [c.index('upload_expires').on(t.expiresAt)],
    ),
    uploadPiece: c.table(
      'upload_piece',
      {
        upload: c.text('upload').notNull(),
        n: c.int('n').notNull(),
        /** Base64. */
        bytes: c.text('bytes').notNull(),
      },
      (t) => [c.primaryKey({ name: 'upload_piece_pk', columns: [t.upload, t.n] })],
    ),
    /** Developers who follow copies of callbacks; nothing of a copy is stored. */
    listening: c.table(
      'listening',
      {
        id: c.text('id').primaryKey(),
        tenant: c.text('tenant').notNull(),
        /** The caller who opened it, the filter and the address. */
        body: c.json<Readonly<Record<string, unknown>>>('body').notNull(),
        openedAt: c.int('opened_at').notNull(),
        expiresAt: c.int('expires_at').notNull(),
        /** The stream that is read, one at a time; null = none is. */
        reader: c.text('reader'),
        /** It says again that it is read before that. */
        readUntil: c.int('read_until').notNull(),
        copies: c.int('copies').notNull(),
      },
      (t) => [c.index('listening_tenant').on(t.tenant, t.openedAt)],
    ),
    /** Callbacks that wait for the answer of a developer, sealed, for a minute at most. */
    listeningAsk: c.table(
      'listening_ask',
      {
        id: c.text('id').primaryKey(),
        listening: c.text('listening').notNull(),
        request: c.text('request').notNull(),
        /** Null = none yet. */
        answer: c.text('answer'),
        expiresAt: c.int('expires_at').notNull(),
      },
      (t) => [c.index('listening_ask_listening').on(t.listening)],
    ),
  };
}
