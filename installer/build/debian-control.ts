/** A file of the control archive. */
interface ControlFile {
  readonly text: string;
  readonly mode: number;
}

export interface DebianInfo {
  readonly version: string;
  /** As Debian names it. */
  readonly cpu: string;
  readonly installedKib: number;
}

const SERVICE = 'carillon-appliance.service';

/** The files that dpkg reads and runs (Debian Policy 5, 6). Data are removed only when the package is purged. */
export function controlFiles({
  version,
  cpu,
  installedKib,
}: DebianInfo): Readonly<Record<string, ControlFile>> {
  return {
    control: {
      mode: 0o644,
      text: `Package: carillon
Version: ${version}
Architecture: ${cpu}
Maintainer: Carillon <carillon@carillon.example>
Installed-Size: ${installedKib}
Depends: libc6 (>= 2.34), libgcc-s1, libstdc++6, init-system-helpers, systemd (>= 249)
Recommends: espeak-ng, ca-certificates
Suggests: chrony, keepalived, curl, postgresql, mosquitto
Section: net
Priority: optional
Description: alarm, SIP and media platform
 Receives alarms from social-care devices, lifts and panels, turns each into one
 signed callback, answers the device, lets people talk, and goes on working when
 the line to the outside is gone. Holds the appliance of a site and the control
 plane, of which the appliance is started.
`,
    },
    postinst: script(`if [ "$1" = configure ]; then
  systemd-sysusers carillon.conf
  install -d -m 0750 -o root -g carillon /etc/carillon
  if [ ! -e /etc/carillon/appliance.toml ]; then
    printf '# \`carillon configure\` asks and writes; \`carillon config show\` explains.\\n\\ndata = "/var/lib/carillon"\\n' >/etc/carillon/appliance.toml
    chown root:carillon /etc/carillon/appliance.toml
    chmod 0640 /etc/carillon/appliance.toml
  fi
fi
deb-systemd-helper unmask ${SERVICE} >/dev/null || true
deb-systemd-helper enable ${SERVICE} >/dev/null || true
if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
  deb-systemd-invoke restart ${SERVICE} >/dev/null || true
  # A control plane that runs here is of the same release.
  systemctl try-restart carillon-cloud.service >/dev/null 2>&1 || true
fi`),
    prerm: script(`if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  # Its check goes with this package: another host has the shared address first.
  if grep -qs 'carillon configure' /etc/keepalived/keepalived.conf; then systemctl disable --now keepalived.service >/dev/null 2>&1 || true; fi
  deb-systemd-invoke stop ${SERVICE} carillon-maintenance.path carillon-maintenance.timer carillon-cloud.service >/dev/null || true
fi`),
    postrm:
      script(`if [ -d /run/systemd/system ]; then systemctl --system daemon-reload >/dev/null || true; fi
case $1 in
  remove) deb-systemd-helper mask ${SERVICE} >/dev/null || true ;;
  purge)
    deb-systemd-helper purge ${SERVICE} >/dev/null || true
    deb-systemd-helper unmask ${SERVICE} >/dev/null || true
    rm -rf /etc/carillon /var/lib/carillon /var/lib/carillon-update /var/cache/carillon /var/log/carillon
    rm -rf /var/lib/carillon-cloud /var/cache/carillon-cloud
    rm -f /etc/systemd/system/${SERVICE}.d/10-configure.conf
    rmdir /etc/systemd/system/${SERVICE}.d 2>/dev/null || true
    if grep -qs 'carillon configure' /etc/keepalived/keepalived.conf; then rm -f /etc/keepalived/keepalived.conf; fi
    if grep -qs 'carillon configure' /etc/chrony/conf.d/carillon.conf; then
      rm -f /etc/chrony/conf.d/carillon.conf
      if [ -d /run/systemd/system ]; then systemctl try-restart chrony.service >/dev/null 2>&1 || true; fi
    fi
    for user in carillon carillon-cloud; do
      if getent passwd "$user" >/dev/null; then userdel "$user" >/dev/null 2>&1 || true; fi
    done
    ;;
esac`),
  };
}

const script = (text: string): ControlFile => ({ mode: 0o755, text: `#!/bin/sh\nset -e\n${text}\n` });
