import { describe, expect, it } from 'vitest';
import { runProgram } from './support/program.ts';

/** Everything this command needs, and how each says which it is. */
const programs = [
  ['sipp', '-v', /SIPp v3\./],
  ['sipsak', '--version', /sipsak/],
  ['baresip', '-h', /baresip v1\./],
  ['linphonec', '-v', /version: 5\./],
  ['janus', '--version', /Janus version: /],
  ['kamailio', '-v', /kamailio 5\./],
  ['rtpengine', '--version', /Version: \d+/],
  ['mosquitto', '-h', /mosquitto version 2\./],
  ['mosquitto_sub', '--help', /mosquitto_sub/],
  ['prometheus', '--version', /prometheus, version [23]\./],
  ['tshark', '--version', /TShark \(Wireshark\) 4\./],
  ['promtool', '--version', /promtool, version [23]\./],
  ['keepalived', '--version', /Keepalived v2\./],
  ['docker-compose', '--version', /docker-compose version 1\./],
  ['haproxy', '-v', /HAProxy version 2\./],
  ['chronyd', '--version', /chrony\) version 4\./],
  ['chronyc', '--version', /chrony\) version 4\./],
  ['openssl', 'version', /OpenSSL 3/],
  ['ffmpeg', '-version', /ffmpeg version/],
  ['sox', '--version', /SoX/],
  ['lame', '--version', /LAME/],
  ['python3', '--version', /Python 3/],
  ['chromium', '--version', /Chromium/],
  ['espeak-ng', '--version', /eSpeak NG/],
  ['multimon-ng', '-h', /multimon-ng/],
  ['gcc', '--version', /gcc/],
  ['/usr/lib/postgresql/15/bin/postgres', '--version', /PostgreSQL\) 15\./],
] as const;

describe('the peers', () => {
  it.each(programs)('%s is installed', async (program, flag, version) => {
    const { stdout, stderr } = await runProgram(program, [flag]);
    expect(stdout + stderr).toMatch(version);
  });
});
