import { hostPort } from '#shared/host-port.ts';
import { layout } from '../action/layout.ts';

/** The shared address as this host has a part in it. */
export interface VipPlace {
  /** With the prefix length. */
  readonly vip: string;
  /** Interface that carries our own address. */
  readonly interface: string;
  readonly routerId: number;
  readonly own: string;
  /** Every host that may have the address, this one among them. */
  readonly hosts: readonly { readonly address: string; readonly priority: number }[];
  /** HTTPS of each of them, where `/vipz` is asked. */
  readonly webPort: number;
}

const HEAD = '# The shared address of a site, as `carillon configure` writes it for';

/** Did we write this configuration of keepalived? */
export const isOurVip = (text: string): boolean => text.startsWith(HEAD);

/**
 * Configuration of keepalived (control plane, section 9): VRRPv3 unicast, nopreempt, distinct priorities, an advertisement each second.
 * The family of the address is that of the whole instance: IPv6 is announced by unsolicited neighbour advertisements (NDP) where IPv4 is by
 * gratuitous ARP, by the same words. `systemd/vip/keepalived.conf` is this text for its example.
 */
export function keepalivedText({ vip, interface: name, routerId, own, hosts, webPort }: VipPlace): string {
  const others = hosts.filter(({ address }) => address !== own).map(({ address }) => address);
  const priority = hosts.find(({ address }) => address === own)?.priority ?? 1;
  const check = [
    layout.vipCheck,
    webPort,
    '/run/carillon',
    ...others.map((other) => hostPort(other, webPort)),
  ];
  const said = hosts.map((host) => `${host.address}=${host.priority}`).join(',');
  return `${HEAD}
#   --vip ${vip} --vip-hosts ${said} --vip-id ${routerId}
# on the host ${own}. What you change here goes with the next \`carillon configure\`. The check needs curl.

global_defs {
    router_id carillon
    vrrp_version 3
    enable_script_security
    script_user nobody
    # Neighbours that missed the first announcement (ARP, NDP) keep an old MAC address: it is said again.
    vrrp_garp_master_delay 1
    vrrp_garp_master_repeat 3
    vrrp_garp_master_refresh 30
    vrrp_garp_lower_prio_repeat 2
    # Late checks under load are taken for failures.
    vrrp_rt_priority 50
    checker_rt_priority 40
}

# Without a weight: a host that cannot take alarms gives the address away whatever its priority, if another one can have it.
vrrp_script carillon {
    # HTTPS of this host, where the appliance says that it serves, HTTPS of the other hosts.
    script "${check.join(' ')}"
    interval 1
    # Two questions that nobody answers.
    timeout 3
    fall 2
    rise 2
    init_fail
}

vrrp_instance site {
    state BACKUP
    interface ${name}
    virtual_router_id ${routerId}
    # Never the same on two hosts.
    priority ${priority}
    advert_int 1
    # Who has the address keeps it: alarms that come in are not moved for tidiness.
    nopreempt
    unicast_src_ip ${own}
    unicast_peer {
${others.map((other) => `        ${other}`).join('\n')}
    }
    virtual_ipaddress {
        ${vip}
    }
    track_script {
        carillon
    }
    # The appliance reads here whether this host has the address: leader, roles, the alarm for an address that is there twice. With its
    # own rights, since a link in its folder must not lead root anywhere.
${['master', 'backup', 'fault', 'stop'].map(notify).join('\n')}
}
`;
}

/** A host that has stopped does not hold the address, as one at fault does not. */
const WORDS: Readonly<Record<string, string>> = { master: 'MASTER', backup: 'BACKUP' };

function notify(event: string): string {
  const fresh = `${layout.vipState}.new`;
  const write = `echo ${WORDS[event] ?? 'FAULT'} > ${fresh} && mv -f ${fresh} ${layout.vipState}`;
  return `    notify_${event} "/bin/sh -c '${write}'" carillon`;
}
