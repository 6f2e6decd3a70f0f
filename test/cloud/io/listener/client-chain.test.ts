import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { openEdgeListener } from '#cloud/io/listener/index.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';

const HOST = '127.0.0.1';

/*
 * A Node that takes the intermediate certificate of a client out of its connection (24.21.0 did) never frees it: 4 to 6 kB for each
 * connection of a host, for as long as the process runs. It shows in the chain, which is then shorter, and needs no measuring of memory.
 */
it('keeps the chain of a client with its connection, so that both are freed together', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-chain-'));
  const authority = await openFolderAuthority(folder, Date.now());
  const listener = await openEdgeListener(
    { host: HOST, port: 0 },
    await authority.issueServer([HOST], Date.now()),
    20,
  );
  let shown: DetailedPeerCertificate | undefined;
  listener.serve((_request, env) => {
    shown = (env as { incoming: { socket: TLSSocket } }).incoming.socket.getPeerCertificate(true);
    return new Response('');
  });
  try {
    const client = await authority.issueOwner('host', Date.now());
    await new Promise<void>((resolve, reject) => {
      const options = { ...client, host: HOST, port: listener.port, agent: false, rejectUnauthorized: false };
      get(options, (answer) => answer.resume().on('end', resolve)).on('error', reject);
    });
    expect([shown?.subject.CN, shown?.issuerCertificate?.subject.CN]).toEqual([
      'host',
      'Carillon Intermediate',
    ]);
  } finally {
    await listener.close();
    rmSync(folder, { recursive: true });
  }
});
