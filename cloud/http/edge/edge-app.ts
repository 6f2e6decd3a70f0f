import { type Context, Hono } from 'hono';
import { routePath } from 'hono/route';
import { ConcurrencyLimit } from '#shared/concurrency-limit.ts';
import { keyChainText, scopeField } from '#shared/contract/feed/index.ts';
import { promptFileNameField } from '#shared/contract/runtime/index.ts';
import { LatelySeen } from '#shared/lately-seen.ts';
import type { Failure } from '#shared/result.ts';
import type { Feed, HostOrUid } from '../../feed/index.ts';
import type { PromptFiles } from '../../provisioning/index.ts';
import type { CaptureRelay, TraceRelay } from '../../record/index.ts';
import type { DiagnosisBundles, RecordingRelay, Sites } from '../../site/index.ts';
import { refusal } from '../routing/refusal.ts';
import { addCapture, addDiagnosis, addTrace } from './diagnosis.ts';
import { addWipeReport, opens } from './life.ts';
import { addHostNotes } from './note.ts';
import { addRecordingForHost, addRecordingRelay } from './recording.ts';
import { addSight } from './sight.ts';

/** The peer of a TLS connection. */
export interface EdgePeer {
  /** The certificate chain is ours and valid now. */
  readonly authorized: boolean;
  /** CN of the leaf. */
  readonly uid: string;
  /** Its serial number, lower-case hex. */
  readonly serial: string;
  readonly address: string;
}

export interface EdgePort {
  readonly sites: Sites;
  readonly feed: Feed;
  readonly diagnosis: Pick<DiagnosisBundles, 'put'>;
  readonly traces: Pick<TraceRelay, 'put'>;
  readonly captures: Pick<CaptureRelay, 'put'>;
  readonly recordings: Pick<RecordingRelay, 'take'>;
  readonly prompts: Pick<PromptFiles, 'bytesFor' | 'hand' | 'open' | 'recordingFor' | 'rowFor'>;
  /** The client certificate of the connection a request came on; undefined without one. `env` as the server gives it. */
  readonly peerOf: (env: unknown) => EdgePeer | undefined;
  readonly nowMs: () => number;
  /** A request has come; the function that it returns is called with its answer, by the pattern of its path. */
  readonly onRequest?: () => (route: string, status: number) => void;
  /** A connection was not let in; a word for why. */
  readonly onRefused?: (reason: 'hostCertificate' | 'hostNotAdmitted') => void;
  /** The failure of the storage that an exception stands for; undefined: it is a bug. */
  readonly storageFault?: (error: unknown) => Failure | undefined;
  readonly onDefect: (error: unknown, requestId: string) => void;
}

interface EdgeEnv {
  /**
   * The host, the id of its tenant, and the host that it asks for: itself, or one of its site. `asked`: the same one, by its row where that
   * was read.
   */
  Variables: {
    readonly uid: string;
    readonly tenant: string;
    readonly whose: string;
    readonly asked: HostOrUid;
  };
}

const JOSE = 'application/jose';
/**
 * Requests of hosts that read the database at once: a request of a person waits for a connection behind so many, and not behind
 * thousands of hosts that come back together.
 */
const AT_ONCE = 12;
/**
 * Chosen: so many wait, the newest first. A host gives up after 20 s. Where more ask than can be answered, a request that is answered has
 * waited for moments.
 */
const WAITS = { most: 100, first: 'newest' } as const;
/**
 * Chosen: a host that was answered so shortly before, ms, comes before all others: a configuration is some ten requests, and half of
 * it is of no use.
 */
const BEGUN_MS = 10_000;
const BUSY = {
  code: 'tooManyRequests',
  reason:
    'The request is not handled: too many hosts ask at once. Send it again after the time in Retry-After.',
  retryAfterS: 5,
};
/**
 * Chosen: a host that was sent away asks again after 1, 2, 4 and 8 s, on the same connection. A handshake with client certificates costs as
 * much as an answer.
 */
export const REFUSED_IDLE_S = 20;
/** Requests that read the database until their answer is there. All others do so for their admission alone, and may take minutes. */
const READS = /^\/edge\/v1\/(twin|config\/[^/]+|blob\/[^/]+|presence|promptfile)$/;

/**
 * The listener of enrolled hosts (control plane, sections 2 and 4): mutual TLS, identity = CN, checked against the host's
 * row with every request, so that a host that was shut out is out at once.
 */
export function createEdgeApp(port: EdgePort): Hono<EdgeEnv> {
  const { sites, feed } = port;
  const app = new Hono<EdgeEnv>();
  const limit = new ConcurrencyLimit(AT_ONCE, WAITS);
  const answered = new LatelySeen(BEGUN_MS);

  const { onRequest } = port;
  if (onRequest !== undefined)
    app.use(async (c, next) => {
      const onAnswer = onRequest();
      await next();
      onAnswer(routePath(c, -1), c.res.status);
    });

  app.use(async (c, next) => {
    const peer = port.peerOf(c.env);
    if (peer === undefined || !peer.authorized) {
      port.onRefused?.('hostCertificate');
      return refusal(c, {
        code: 'unauthorized',
        reason:
          'The host is not authenticated: the connection has no valid certificate. Connect with the certificate of the host, or renew it if it has ended.',
      });
    }
    const hasBegun = answered.has(peer.uid, port.nowMs());
    const leave = await limit.enter(() => !c.req.raw.signal.aborted, hasBegun);
    if (leave === undefined) {
      c.header('Keep-Alive', `timeout=${REFUSED_IDLE_S}`);
      return refusal(c, BUSY);
    }
    answered.add(peer.uid, port.nowMs());
    try {
      const refused = await admit(c, peer);
      if (refused !== undefined) return refused;
      if (!READS.test(c.req.path)) leave();
      return await next();
    } finally {
      leave();
    }
  });

  /** Sets the variables of the request, or refuses it. */
  async function admit(c: Context<EdgeEnv>, { uid, serial, address }: EdgePeer) {
    const actor = { name: `host:${uid}`, address, requestId: '', at: port.nowMs() };
    const admitted = await sites.admit(uid, serial, 'edge', actor);
    if (admitted === undefined || !opens(admitted, c.req.path)) {
      port.onRefused?.('hostNotAdmitted');
      return refusal(c, {
        code: 'forbidden',
        reason: 'The host is refused: it is not admitted to its site. Enrol it with a claim code.',
      });
    }
    c.set('uid', uid);
    c.set('tenant', admitted.place.tenant);
    const other = c.req.query('host');
    const whose = other === undefined ? uid : await sites.fetchesFor(uid, other);
    if (whose === undefined)
      return refusal(c, {
        code: 'forbidden',
        reason: 'The peer is not found: the site has no such host in service. Check the uid.',
      });
    c.set('whose', whose);
    c.set('asked', whose === uid ? admitted.row : whose);
    return undefined;
  }

  app.get('/edge/v1/twin', async (c) => {
    const currentTwin = await feed.twin(c.var.asked);
    if (currentTwin === undefined)
      return refusal(c, {
        code: 'notFound',
        reason:
          'The twin is not found: the control plane has not published one for this host. Ask again later.',
      });
    const etag = `"${currentTwin.twin.twinRev}"`;
    if (c.req.header('If-None-Match') === etag) return c.body(null, 304, { ETag: etag });
    return c.body(currentTwin.jws, 200, { 'Content-Type': JOSE, ETag: etag });
  });

  // For a host that was away while the signing key changed: the twin above is signed by a key that it cannot know.
  app.get('/edge/v1/keys', async (c) => c.text(keyChainText(await feed.keys())));

  app.get('/edge/v1/config/:scope', async (c) => {
    const scope = scopeField.safeParse(c.req.param('scope'));
    const since = Number(c.req.query('since') ?? '0');
    const has = Number(c.req.query('has') ?? since);
    if (!scope.success || !isRevision(since) || !isRevision(has))
      return refusal(c, {
        code: 'invalid',
        reason:
          'The configuration is not sent: the request names no scope and revision. Ask for config/{platform|tenant|site|host}?since=<revision>.',
      });
    const { data } = scope;
    const manifest = await feed.manifest(c.var.asked, data, since, has);
    if (manifest === undefined) return c.body(null, 304);
    if (c.req.header('If-None-Match') === manifest.etag) return c.body(null, 304, { ETag: manifest.etag });
    return c.body(manifest.jws, 200, { 'Content-Type': JOSE, ETag: manifest.etag });
  });

  app.get('/edge/v1/blob/:sha256', async (c) => {
    const page = await feed.page(c.var.asked, c.req.param('sha256'));
    if (page === undefined) {
      const bytes = await port.prompts.bytesFor(c.var.tenant, c.req.param('sha256'));
      if (bytes !== undefined) return c.body(bytes, 200, { 'Content-Type': 'application/octet-stream' });
      return refusal(c, {
        code: 'notFound',
        reason: 'The page is not found: the manifest has changed. Ask for the manifest again.',
      });
    }
    return c.body(new Uint8Array(page), 200, {
      'Content-Type': 'application/gzip',
      'Cache-Control': 'no-transform',
    });
  });

  // For a host that has not got the row yet: its application has just uploaded the file.
  app.get('/edge/v1/promptfile', async (c) => {
    const name = promptFileNameField.safeParse(c.req.query('name'));
    const row = name.success ? await port.prompts.rowFor(c.var.tenant, name.data) : undefined;
    if (row === undefined)
      return refusal(c, {
        code: 'notFound',
        reason: 'The prompt file is not found: the tenant has no file of that name. Upload it first.',
      });
    return c.json(row);
  });

  // Recordings of the host's calls; the same one again is answered as the first time.
  app.put('/edge/v1/upload/:id', async (c) => {
    const name = promptFileNameField.safeParse(c.req.query('name'));
    const sha256 = c.req.query('sha256') ?? '';
    if (!name.success || !/^[0-9a-f]{64}$/.test(sha256))
      return refusal(c, {
        code: 'invalid',
        reason:
          'The file is not stored: the request names no file and hash. Send upload/{id}?name=<file>&sha256=<hex>.',
      });
    const replaces = c.req.query('replace') === 'true';
    const whose = { tenant: c.var.tenant, host: c.var.uid };
    const recording = { ...whose, name: name.data, sha256, replaces, at: port.nowMs() };
    const handed = await port.prompts.hand(recording, c.req.raw.body);
    return handed.ok ? c.json({ success: true }) : refusal(c, handed.error);
  });

  addWipeReport(app, sites, port.nowMs);
  addHostNotes(app, sites, port.nowMs);
  addDiagnosis(app, port.diagnosis);
  addTrace(app, port.traces);
  addCapture(app, port.captures);
  addRecordingForHost(app, port.prompts, port.nowMs);
  addRecordingRelay(app, port.recordings);
  addSight(app, sites);
  app.notFound((c) =>
    refusal(c, {
      code: 'notFound',
      reason: `The path ${c.req.path} does not exist. Look the path up in /openapi.json.`,
    }),
  );
  app.onError((error, c) => {
    const fault = port.storageFault?.(error);
    if (fault !== undefined) return refusal(c, fault);
    port.onDefect(error, '');
    return refusal(c, {
      code: 'defect',
      reason: 'The request failed: the control plane has a defect. Report it with the time of the request.',
    });
  });
  return app;
}

const isRevision = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
