/*
 * Peers of a media device, 50 packets of 160 bytes A-law a second each, one port each, their phases spread over the 20 ms.
 *
 *   rtp-load HOST FIRST_PORT SECONDS WATCHED_FROM_SECOND [SRTP_KEY_HEX]  < one device port a line
 *
 * Peer n sends from FIRST_PORT + 2 n to the n-th port, and hears what comes back there. At the end one line of JSON:
 *   sent, passed     packets of ours, and those of them that came out again; of all the time
 *   missing          packets that are missing in what the device made itself, by their numbers
 *   leftOut          packets of 20 ms that it never made: their time is missing, their numbers are not
 *   silent           packets of the device without any audio
 *   pauses           of those, the ones between the first and the last packet with audio of their leg
 *   numbered         frames of programs that number them
 *   lost, disordered numbers that are missing between the first and the last of those, and those that came behind a later one
 *   ownP99Us         how late the sends of this program were
 *   transitP99Us     from the send of a packet of ours to where it came out again (it carries the time)
 *   gridP99Us        how late packets came against the time that they carry: of senders that make their own packets
 * Percentiles are of what was sent from WATCHED_FROM_SECOND on.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <srtp2/srtp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#define MOST_LEGS 4096
#define BATCH 16
#define HEAD 12
#define VOICE 160
#define FRAME_NS 20000000LL
#define SAMPLE_NS 125000LL
#define MARK 0x43415249u
#define SILENCE 0xd5
#define GRID_FRAMES 1024
/* A program that numbers its frames: 8 digits that say so, and 8 digits of the number; a digit is sign and segment of an A-law code. */
#define NUMBERED 0x5a17c0deu
#define DIGITS 8

struct leg {
  int socket;
  struct sockaddr_in to;
  uint32_t frame;
  int begun;
  uint16_t lastSeq;
  uint32_t firstStamp, lastStamp;
  int heard;
  int spoke;
  long pause;
  int counted;
  uint32_t number;
  int64_t firstNs;
  int32_t *grid;
};

static struct leg legs[MOST_LEGS];
static int32_t *own, *transit, *grid;
static long ownCount, transitCount, gridCount, most, passed, missing, leftOut, silent, pauses, numbered, lost, disordered;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void die(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static int ascending(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return x < y ? -1 : x > y;
}

/* Sorts what it is given. */
static double quantileUs(int32_t *values, long count, double part) {
  if (count == 0) return 0;
  qsort(values, count, sizeof *values, ascending);
  long at = (long)(part * (count - 1));
  return values[at] / 1000.0;
}

static void note(int32_t *values, long *count, int64_t ns) {
  if (*count < most) values[(*count)++] = ns > INT32_MAX ? INT32_MAX : (int32_t)ns;
}

static void prepare(int n, const char *host, int firstPort, int port) {
  struct leg *leg = &legs[n];
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(firstPort + 2 * n)};
  inet_pton(AF_INET, host, &here.sin_addr);
  leg->to = here;
  leg->to.sin_port = htons(port);
  leg->socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (leg->socket < 0 || bind(leg->socket, (struct sockaddr *)&here, sizeof here) != 0) die("bind");
  /* Counted from the start of the machine: to a device that is still there a new run is the same stream after a pause. */
  leg->frame = (uint32_t)(now() / FRAME_NS);
  leg->grid = malloc(GRID_FRAMES * sizeof *leg->grid);
}

/*
 * Under SRTP all legs have one key and send the same packets, protected once: libsrtp with hundreds of streams costs more
 * than what is measured. Those packets carry no time.
 */
static void sendFrame(int n, srtp_t srtp, int64_t atNs) {
  struct leg *leg = &legs[n];
  static unsigned char packet[HEAD + VOICE + SRTP_MAX_TRAILER_LEN];
  static int length;
  static uint32_t protectedFrame;
  if (srtp != NULL && leg->frame == protectedFrame) {
    leg->frame++;
    sendto(leg->socket, packet, length, 0, (struct sockaddr *)&leg->to, sizeof leg->to);
    return;
  }
  protectedFrame = leg->frame;
  uint32_t stamp = htonl(160u * leg->frame), mark = MARK;
  uint32_t ssrc = htonl(0x10000u + (srtp == NULL ? n : 0));
  uint16_t seq = htons((uint16_t)leg->frame++);
  packet[0] = 0x80;
  packet[1] = 8;
  memcpy(packet + 2, &seq, 2);
  memcpy(packet + 4, &stamp, 4);
  memcpy(packet + 8, &ssrc, 4);
  memset(packet + HEAD, SILENCE, VOICE);
  if (srtp == NULL) {
    memcpy(packet + HEAD, &mark, 4);
    memcpy(packet + HEAD + 4, &atNs, 8);
  }
  length = HEAD + VOICE;
  if (srtp != NULL && srtp_protect(srtp, packet, &length) != srtp_err_status_ok) die("srtp_protect");
  sendto(leg->socket, packet, length, 0, (struct sockaddr *)&leg->to, sizeof leg->to);
}

static uint32_t digitsOf(const unsigned char *codes) {
  uint32_t value = 0;
  for (int i = 0; i < DIGITS; i++) value = value << 4 | (uint32_t)((codes[i] ^ 0x55) >> 4);
  return value;
}

static void spoken(struct leg *leg, const unsigned char *codes) {
  pauses += leg->pause;
  leg->pause = 0;
  leg->spoke = 1;
  if (digitsOf(codes) != NUMBERED) return;
  uint32_t number = digitsOf(codes + DIGITS);
  int32_t step = leg->counted ? (int32_t)(number - leg->number) : 1;
  if (step > 0) lost += step - 1;
  else disordered++;
  leg->counted = 1;
  numbered++;
  if (step > 0) leg->number = number;
}

static void heard(struct leg *leg, const unsigned char *packet, int length, int64_t atNs, int64_t watchedNs) {
  if (length < HEAD + VOICE) return;
  uint32_t mark;
  memcpy(&mark, packet + HEAD, 4);
  if (mark == MARK) {
    passed++;
    int64_t sentNs;
    memcpy(&sentNs, packet + HEAD + 4, 8);
    if (sentNs >= watchedNs) note(transit, &transitCount, atNs - sentNs);
    return;
  }
  if (atNs < watchedNs) return;
  uint16_t seq = (uint16_t)(packet[2] << 8 | packet[3]);
  uint32_t stamp;
  memcpy(&stamp, packet + 4, 4);
  stamp = ntohl(stamp);
  if (!leg->begun) {
    leg->begun = 1;
    leg->lastSeq = (uint16_t)(seq - 1);
    leg->firstStamp = stamp;
    leg->lastStamp = stamp - VOICE;
    leg->firstNs = atNs;
  }
  int16_t packets = (int16_t)(seq - leg->lastSeq);
  missing += packets - 1;
  leftOut += (int32_t)(stamp - leg->lastStamp) / VOICE - packets;
  leg->lastSeq = seq;
  leg->lastStamp = stamp;
  int loud = 0;
  while (loud < VOICE && packet[HEAD + loud] == SILENCE) loud++;
  silent += loud == VOICE;
  if (loud < VOICE) spoken(leg, packet + HEAD);
  else if (leg->spoke) leg->pause++;
  if (leg->heard < GRID_FRAMES) {
    int64_t offNs = atNs - leg->firstNs - (int64_t)(int32_t)(stamp - leg->firstStamp) * SAMPLE_NS;
    leg->grid[leg->heard++] = (int32_t)offNs;
  }
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: rtp-load HOST FIRST_PORT SECONDS WATCHED_FROM_SECOND [SRTP_KEY_HEX] < ports\n");
    return 64;
  }
  int count = 0, port;
  while (count < MOST_LEGS && scanf("%d", &port) == 1) prepare(count++, argv[1], atoi(argv[2]), port);
  if (count == 0) {
    fprintf(stderr, "no device port on standard input\n");
    return 64;
  }

  srtp_t srtp = NULL;
  if (argc > 5) {
    unsigned char key[30];
    for (int i = 0; i < 30; i++) sscanf(argv[5] + 2 * i, "%2hhx", &key[i]);
    srtp_policy_t policy = {0};
    srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtp);
    srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtcp);
    policy.ssrc.type = ssrc_any_outbound;
    policy.key = key;
    if (srtp_init() != srtp_err_status_ok || srtp_create(&srtp, &policy) != srtp_err_status_ok) die("srtp");
  }

  double seconds = atof(argv[3]);
  most = (long)(count * 51 * (seconds + 1));
  own = malloc(most * sizeof *own);
  transit = malloc(most * sizeof *transit);
  grid = malloc(most * sizeof *grid);
  int poll = epoll_create1(0);
  for (int n = 0; n < count; n++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = n};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, legs[n].socket, &event) != 0) die("epoll_ctl");
  }

  static unsigned char room[BATCH][2048];
  struct iovec pieces[BATCH];
  struct mmsghdr messages[BATCH];
  memset(messages, 0, sizeof messages);
  for (int i = 0; i < BATCH; i++) {
    pieces[i] = (struct iovec){room[i], sizeof room[i]};
    messages[i].msg_hdr.msg_iov = &pieces[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }

  int64_t startNs = now() + 1000000, endNs = startNs + (int64_t)(seconds * 1e9);
  int64_t watchedNs = startNs + (int64_t)(atof(argv[4]) * 1e9);
  int64_t quietNs = endNs + 100000000;
  long sent = 0, due = 0;
  for (int64_t atNs = now(); atNs < quietNs; atNs = now()) {
    int64_t dueNs = startNs + due * FRAME_NS / count;
    while (dueNs <= atNs && dueNs < endNs) {
      int64_t sendNs = now();
      sendFrame(due % count, srtp, sendNs);
      if (dueNs >= watchedNs) note(own, &ownCount, sendNs - dueNs);
      sent++;
      dueNs = startNs + ++due * FRAME_NS / count;
    }
    int64_t waitNs = (dueNs < endNs ? dueNs : quietNs) - now();
    struct timespec wait = {0, waitNs <= 0 ? 0 : waitNs > 1000000 ? 1000000 : waitNs};
    struct epoll_event ready[256];
    int found = epoll_pwait2(poll, ready, 256, &wait, NULL);
    for (int i = 0; i < found; i++) {
      struct leg *leg = &legs[ready[i].data.u32];
      int got = recvmmsg(leg->socket, messages, BATCH, MSG_DONTWAIT, NULL);
      int64_t gotNs = now();
      for (int k = 0; k < got; k++) heard(leg, room[k], messages[k].msg_len, gotNs, watchedNs);
    }
  }

  for (int n = 0; n < count; n++) {
    struct leg *leg = &legs[n];
    int32_t least = INT32_MAX;
    for (int i = 0; i < leg->heard; i++)
      if (leg->grid[i] < least) least = leg->grid[i];
    for (int i = 0; i < leg->heard; i++) note(grid, &gridCount, (int64_t)leg->grid[i] - least);
  }
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  double busy = used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  printf("{\"sent\":%ld,\"passed\":%ld,\"missing\":%ld,\"leftOut\":%ld,\"silent\":%ld,\"pauses\":%ld,\"numbered\":%ld,\"lost\":%ld,\"disordered\":%ld,\"ownP99Us\":%.0f,\"transitP99Us\":%.0f,\"gridP99Us\":%.0f,\"share\":%.3f}\n", sent,
         passed, missing, leftOut, silent, pauses, numbered, lost, disordered, quantileUs(own, ownCount, 0.99), quantileUs(transit, transitCount, 0.99),
         quantileUs(grid, gridCount, 0.99), busy / seconds);
  return 0;
}
