/*
 * Processor time of libsrtp for a packet that comes and goes: unprotect and protect, AES_CM_128_HMAC_SHA1_80, 160 bytes of
 * voice, streams that take turns as they do in a relay. Built on NSS (as Debian does) it gets slow with many streams: measure
 * it with a few.
 *
 *   libsrtp-cost STREAMS ROUNDS      prints ns a packet, one line a round; a round is 50 packets of each stream
 */
#include <arpa/inet.h>
#include <srtp2/srtp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HEAD 12
#define VOICE 160
#define PACKETS 50

static int64_t used(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static srtp_t opened(unsigned char *key, srtp_ssrc_type_t direction) {
  srtp_t made;
  srtp_policy_t policy;
  memset(&policy, 0, sizeof policy);
  srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtp);
  srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtcp);
  policy.ssrc.type = direction;
  policy.key = key;
  if (srtp_create(&made, &policy) != srtp_err_status_ok) exit(1);
  return made;
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  int streams = atoi(argv[1]), rounds = atoi(argv[2]);
  unsigned char theirs[30], mine[30];
  memset(theirs, 1, sizeof theirs);
  memset(mine, 2, sizeof mine);
  srtp_init();
  srtp_t *peers = calloc(streams, sizeof *peers), *in = calloc(streams, sizeof *in), *out = calloc(streams, sizeof *out);
  for (int n = 0; n < streams; n++) {
    peers[n] = opened(theirs, ssrc_any_outbound);
    in[n] = opened(theirs, ssrc_any_inbound);
    out[n] = opened(mine, ssrc_any_outbound);
  }
  unsigned char(*packets)[HEAD + VOICE + SRTP_MAX_TRAILER_LEN] = calloc(streams * PACKETS, sizeof *packets);
  int *lengths = calloc(streams * PACKETS, sizeof *lengths);
  uint16_t next = 1;
  for (int round = 0; round < rounds; round++) {
    for (int p = 0; p < PACKETS; p++, next++)
      for (int n = 0; n < streams; n++) {
        unsigned char *packet = packets[p * streams + n];
        uint16_t seq = htons(next);
        uint32_t stamp = htonl(160u * next), ssrc = htonl(0x10000u + n);
        packet[0] = 0x80;
        packet[1] = 8;
        memcpy(packet + 2, &seq, 2);
        memcpy(packet + 4, &stamp, 4);
        memcpy(packet + 8, &ssrc, 4);
        memset(packet + HEAD, 0xd5, VOICE);
        lengths[p * streams + n] = HEAD + VOICE;
        if (srtp_protect(peers[n], packet, &lengths[p * streams + n]) != srtp_err_status_ok) return 1;
      }
    int64_t before = used();
    for (int i = 0; i < streams * PACKETS; i++) {
      if (srtp_unprotect(in[i % streams], packets[i], &lengths[i]) != srtp_err_status_ok) return 2;
      if (srtp_protect(out[i % streams], packets[i], &lengths[i]) != srtp_err_status_ok) return 3;
    }
    printf("%.1f\n", (double)(used() - before) / (streams * PACKETS));
  }
  return 0;
}
