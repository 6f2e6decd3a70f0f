import { describe, expect, it } from 'vitest';
import { dropInText } from '#installer/plan/install/drop-in.ts';

describe('the rights of the unit for a configuration', () => {
  it.each([
    ['no listener named', {}],
    ['usual ports', { sip_udp: '0.0.0.0:5060', sip_tls: '[::]:5061', dc09: '' }],
    ['a low number that is no port', { rtp_ports: '700-900', host_id: 'a:80' }],
  ])('is nothing with %s', (_, written) => {
    expect(dropInText(written)).not.toContain('[Service]');
  });

  it('is the right to ports below 1024, outside of a user namespace', () => {
    const text = dropInText({ sip_tls: '0.0.0.0:443', dc09: '[::]:700', sip_udp: '0.0.0.0:1024' });
    expect(text).toContain('# Port 443, 700\n');
    expect(text).toMatch(
      /^CapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE$/m,
    );
    expect(text).toContain('PrivateUsers=no\n');
  });

  it('is that for each address of a listener', () => {
    expect(dropInText({ dc09: '0.0.0.0:700,[::]:6060', peer: '[::]:8446, 0.0.0.0:846' })).toContain(
      '# Port 700, 846\n',
    );
  });
});
