import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeldObject {
  readonly bytes: Buffer;
  readonly region: string;
  readonly kmsKey: string | undefined;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/**
 * Object storage on loopback that checks what it is sent: the signature, computed again from the request as it came (the
 * rules of signature version 4, section "Create a signed request"), the hash of the bytes, and their length.
 */
export async function objectServer(known: { readonly keyId: string; readonly secret: string }) {
  const objects = new Map<string, HeldObject>();
  const refusals: string[] = [];
  /** Statuses to answer with before anything is looked at. */
  const moods: number[] = [];
  const server = createServer((request, response) => {
    void answer(request).then(([status, code, bytes]) => {
      if (code !== '') refusals.push(code);
      response.writeHead(status, { 'content-type': 'application/xml' });
      if (request.method === 'HEAD') response.end();
      else response.end(code === '' ? bytes : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    });
  });

  async function answer(request: IncomingMessage): Promise<readonly [number, string, Buffer?]> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const mood = moods.shift();
    if (mood !== undefined) return [mood, mood === 503 ? 'SlowDown' : 'InternalError'];
    if (request.method === 'PUT' && request.headers['content-length'] === undefined)
      return [411, 'MissingContentLength'];
    const credential =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
        request.headers.authorization ?? '',
      );
    const [, keyId, day = '', region = '', names = '', signature] = credential ?? [];
    if (credential === null || keyId !== known.keyId) return [403, 'InvalidAccessKeyId'];
    const stamp = String(request.headers['x-amz-date'] ?? '');
    const at = Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
    if (!stamp.startsWith(day) || Math.abs(at - Date.now()) > 900_000) return [403, 'RequestTimeTooSkewed'];
    for (const needed of ['host', 'x-amz-date', 'x-amz-content-sha256'])
      if (!names.split(';').includes(needed)) return [403, 'AccessDenied'];
    const hash = String(request.headers['x-amz-content-sha256']);
    const url = new URL(request.url ?? '/', 'http://here');
    const strict = (text: string) =>
      encodeURIComponent(text).replaceAll(
        /[!'()*]/g,
        (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
      );
    const canonical = [
      request.method,
      url.pathname
        .split('/')
        .map((part) => strict(decodeURIComponent(part)))
        .join('/'),
      '',
      ...names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
      '',
      names,
      hash,
    ].join('\n');
    const scope = `${day}/${region}/s3/aws4_request`;
    const toSign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
    const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${known.secret}`, day));
    if (hmac(key, toSign).toString('hex') !== signature) return [403, 'SignatureDoesNotMatch'];
    if (sha256(bytes) !== hash) return [400, 'XAmzContentSHA256Mismatch'];
    const name = decodeURIComponent(url.pathname.slice(1));
    const held = objects.get(name);
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (held === undefined) return [404, name.startsWith('nobody/') ? 'NoSuchBucket' : 'NoSuchKey'];
      const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
      if (range === null) return [200, '', held.bytes];
      const end = range[2] === '' ? held.bytes.length : Number(range[2]) + 1;
      return [206, '', held.bytes.subarray(Number(range[1]), end)];
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return [204, ''];
    }
    if (request.method !== 'PUT') return [405, 'MethodNotAllowed'];
    if (request.headers['if-none-match'] === '*' && objects.has(name)) return [412, 'PreconditionFailed'];
    if (name.startsWith('nobody/')) return [404, 'NoSuchBucket'];
    const kmsKey = request.headers['x-amz-server-side-encryption-aws-kms-key-id'];
    objects.set(name, { bytes, region, kmsKey: kmsKey === undefined ? undefined : String(kmsKey) });
    return [200, ''];
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    objects,
    refusals,
    moods,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type ObjectServer = Awaited<ReturnType<typeof objectServer>>;
