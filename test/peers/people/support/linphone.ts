import { DOMAIN } from '../../support/peer-site.ts';

export interface LinphonePlan {
  readonly transport: 'udp' | 'tls';
  readonly port: number;
  /** PEM file of the authority, for TLS. */
  readonly trust: string;
  readonly password: string;
}

/** The configuration of linphonec as the telephone `linphone` of the tenant. */
export function linphoneConfig({ transport, port, trust, password }: LinphonePlan): string {
  // Its TLS library looks for names in certificates, never for addresses.
  const host = transport === 'tls' ? 'localhost' : '127.0.0.1';
  return [
    '[sip]',
    'sip_port=-1',
    'sip_tcp_port=0',
    'default_proxy=0',
    'use_ipv6=0',
    // Over TLS it proves who the appliance is, and takes audio with keys alone.
    ...(transport === 'tls'
      ? [
          'sip_tls_port=-1',
          `root_ca=${trust}`,
          'verify_server_certs=1',
          'verify_server_cn=1',
          'media_encryption=srtp',
          'media_encryption_mandatory=1',
        ]
      : []),
    '[auth_info_0]',
    'username=linphone',
    `passwd=${password}`,
    `realm=${DOMAIN}`,
    `domain=${DOMAIN}`,
    '[proxy_0]',
    `reg_proxy=<sip:${host}:${port};transport=${transport}>`,
    `reg_route=<sip:${host}:${port};transport=${transport};lr>`,
    `reg_identity=sip:linphone@${DOMAIN}`,
    'reg_expires=600',
    'reg_sendregister=1',
    '',
  ].join('\n');
}
