import { expect, it } from 'vitest';
import { bracketed, hostPort, loopbackOf } from '#shared/host-port.ts';

it.each([
  ['192.0.2.1', '192.0.2.1', '192.0.2.1:5060'],
  ['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:5060'],
  ['::', '[::]', '[::]:5060'],
  ['sip.example', 'sip.example', 'sip.example:5060'],
])('%s stands as %s in a URI, and as %s with a port', (host, inUri, withPort) => {
  expect(bracketed(host)).toBe(inUri);
  expect(hostPort(host, 5060)).toBe(withPort);
});

it.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
  ['192.0.2.1', '192.0.2.1'],
  ['127.0.0.2', '127.0.0.2'],
  ['localhost', 'localhost'],
])('a listener at %s is reached from the machine at %s', (host, at) => {
  expect(loopbackOf(host)).toBe(at);
});
