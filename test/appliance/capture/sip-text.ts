import type { CapturedFlow, CapturedMessage, TakenMessage } from '#appliance/capture/index.ts';

export const DEVICE: CapturedFlow = {
  transport: 'UDP',
  localAddress: '0.0.0.0',
  localPort: 5060,
  remoteAddress: '198.51.100.7',
  remotePort: 5070,
};

/** A request or a response with what the capture reads of it. */
export const sipText = (first: string, callId: string, cseq: string, body = ''): Buffer =>
  Buffer.from(
    [
      first,
      'Via: SIP/2.0/UDP 198.51.100.7:5070;branch=z9hG4bK1',
      'From: <sip:device-1@example.org>;tag=a',
      'To: <sip:centre@example.org>',
      `Call-ID: ${callId}`,
      `CSeq: ${cseq}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );

export const request = (
  method: string,
  callId: string,
  more: Partial<TakenMessage> = {},
  body = '',
): TakenMessage => ({
  atMs: 1_000,
  direction: 'in',
  protocol: 'sip',
  flow: DEVICE,
  bytes: sipText(`${method} sip:centre@example.org SIP/2.0`, callId, `1 ${method}`, body),
  ...more,
});

export const response = (
  status: number,
  method: string,
  callId: string,
  more: Partial<TakenMessage> = {},
): TakenMessage => ({
  atMs: 1_001,
  direction: 'out',
  protocol: 'sip',
  flow: DEVICE,
  bytes: sipText(`SIP/2.0 ${status} X`, callId, `1 ${method}`),
  ...more,
});

export const firstLine = ({ bytes }: Pick<CapturedMessage, 'bytes'>): string =>
  Buffer.from(bytes).toString().split('\r\n')[0] ?? '';
