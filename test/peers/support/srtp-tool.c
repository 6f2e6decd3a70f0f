/*
 * libsrtp for tests: protects or unprotects what it reads.
 *
 *   srtp-tool 80|32 KEY in|out       KEY: master key and salt, 60 hexadecimal digits
 *
 * Each line is "rtp HEX" or "rtcp HEX"; each is answered by a line: the packet as it left libsrtp, or "refused N" with its reason.
 */
#include <srtp2/srtp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 4096

static int unhex(const char *text, unsigned char *out) {
  int n = 0;
  for (unsigned byte; sscanf(text + 2 * n, "%2x", &byte) == 1; n++) out[n] = byte;
  return n;
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  unsigned char key[64];
  if (unhex(argv[2], key) != 30) return 64;
  int out = strcmp(argv[3], "out") == 0;
  srtp_t session;
  srtp_policy_t policy;
  memset(&policy, 0, sizeof policy);
  if (strcmp(argv[1], "32") == 0)
    srtp_crypto_policy_set_aes_cm_128_hmac_sha1_32(&policy.rtp);
  else
    srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtp);
  srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtcp);
  policy.ssrc.type = out ? ssrc_any_outbound : ssrc_any_inbound;
  policy.key = key;
  policy.window_size = 128;
  policy.allow_repeat_tx = 1;
  if (srtp_init() != srtp_err_status_ok || srtp_create(&session, &policy) != srtp_err_status_ok) return 1;
  static char line[2 * ROOM + 16];
  static unsigned char packet[ROOM + SRTP_MAX_TRAILER_LEN];
  while (fgets(line, sizeof line, stdin) != NULL) {
    int control = strncmp(line, "rtcp ", 5) == 0;
    int length = unhex(line + (control ? 5 : 4), packet);
    srtp_err_status_t status = control ? (out ? srtp_protect_rtcp(session, packet, &length) : srtp_unprotect_rtcp(session, packet, &length))
                                       : (out ? srtp_protect(session, packet, &length) : srtp_unprotect(session, packet, &length));
    if (status != srtp_err_status_ok) {
      printf("refused %d\n", status);
      continue;
    }
    for (int i = 0; i < length; i++) printf("%02x", packet[i]);
    printf("\n");
  }
  return 0;
}
