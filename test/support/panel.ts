import { randomBytes } from 'node:crypto';
import { encodeContent, encodeMessage, sealContent } from '#appliance/alarm/protocol/dc09/index.ts';
import { encodeFrame, FrameReader } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { aesCbc } from '#appliance/io/frame-listener/index.ts';
import type { testAppliance } from './appliance.ts';

/** A whole frame around a body. */
export const framed = (body: string): Uint8Array => encodeFrame(Buffer.from(body, 'latin1'));

/** A plain event of account 1234. */
export const siaFrame = (sequence: string, event: string, account = '1234'): Uint8Array =>
  framed(`"SIA-DCS"${sequence}L0#${account}[#${account}|${event}]`);

/** The same under a key, with the time that the panel believes in (epoch ms). */
export function sealedFrame(key: Uint8Array, sequence: string, event: string, timeMs: number): Uint8Array {
  const content = encodeContent({ data: `#1234|${event}`, xdata: [], timeMs });
  const sealing = {
    aes: aesCbc,
    random: globalThis.carillonEffects?.random ?? ((size: number) => randomBytes(size)),
  };
  const hex = sealContent(content, { key, withData: true }, sealing);
  if (hex === undefined) throw new Error('no key of AES');
  const head = { token: 'SIA-DCS', encrypted: true, sequence, line: '0', account: '1234' };
  return encodeFrame(encodeMessage(head, hex));
}

/** A security panel on a connection of its own to a test appliance. */
export function panelAt(
  site: Pick<Awaited<ReturnType<typeof testAppliance>>, 'runtime'>,
  id = 'tcp 1',
  sourceIp = '192.0.2.60',
) {
  const said: string[] = [];
  const reader = new FrameReader();
  const replyPath = {
    id,
    transport: 'tcp' as const,
    sourceIp,
    sourcePort: 40_000,
    send: (bytes: Uint8Array) => {
      const [found] = new FrameReader().push(bytes);
      said.push(found?.kind === 'frame' ? Buffer.from(found.frame.body).toString('latin1') : 'broken');
    },
  };
  return {
    /** Answers, without what surrounds them. */
    said,
    send(bytes: Uint8Array): void {
      for (const found of reader.push(bytes))
        if (found.kind === 'frame') site.runtime.dc09.frame(found.frame, replyPath);
    },
    /** Shuts its side and still hears. */
    end(): void {
      for (const found of reader.end())
        if (found.kind === 'frame') site.runtime.dc09.frame(found.frame, replyPath);
    },
    hangUp(): void {
      site.runtime.dc09.closed(id);
    },
  };
}
