/*
 * The least that passes RTP on in user space: epoll, recvfrom, sendto, one thread.
 *
 *   plain-relay HOST FIRST_PORT LEGS FIRST_PEER_PORT
 *
 * What comes at FIRST_PORT + 2 n leaves FIRST_PORT + 2 (n ^ 1) for FIRST_PEER_PORT + 2 (n ^ 1). Says "ready" and runs until
 * it is ended.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: plain-relay HOST FIRST_PORT LEGS FIRST_PEER_PORT\n");
    return 64;
  }
  int firstPort = atoi(argv[2]), count = atoi(argv[3]), firstPeer = atoi(argv[4]);
  int *sockets = calloc(count, sizeof *sockets);
  struct sockaddr_in *peers = calloc(count, sizeof *peers);
  int poll = epoll_create1(0);
  for (int n = 0; n < count; n++) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(firstPort + 2 * n)};
    inet_pton(AF_INET, argv[1], &here.sin_addr);
    peers[n] = here;
    peers[n].sin_port = htons(firstPeer + 2 * n);
    sockets[n] = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (bind(sockets[n], (struct sockaddr *)&here, sizeof here) != 0) {
      perror("bind");
      return 1;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = n};
    epoll_ctl(poll, EPOLL_CTL_ADD, sockets[n], &event);
  }
  printf("ready\n");
  fflush(stdout);
  for (;;) {
    struct epoll_event ready[64];
    int found = epoll_wait(poll, ready, 64, -1);
    for (int i = 0; i < found; i++) {
      int n = ready[i].data.u32;
      unsigned char packet[2048];
      struct sockaddr_in from;
      socklen_t size = sizeof from;
      ssize_t length = recvfrom(sockets[n], packet, sizeof packet, 0, (struct sockaddr *)&from, &size);
      if (length > 0)
        sendto(sockets[n ^ 1], packet, length, 0, (struct sockaddr *)&peers[n ^ 1], sizeof peers[0]);
    }
  }
}
