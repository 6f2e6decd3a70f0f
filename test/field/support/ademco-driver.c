/* Makes frames by ademco.c of ademco_hb and prints each in hex, one a line. */
#include <stdio.h>
#include "ademco.h"

static void print(const ademco_char_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) printf("%02x", (unsigned char)bytes[i]);
  printf("\n");
}

int main(void) {
  ademco_char_t frame[2048];
  const char *account = "1234";
  const int events[] = {1130, 3130, 1110, 1301, 1401, 3401, 1120, 1602};
  print(frame, ademco_make_null_packet(frame, sizeof frame, 0, account, 0x1234));
  for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
    print(frame, ademco_make_adm_packet(frame, sizeof frame, (uint16_t)(i + 1), account, 0x1234, (ademco_event_t)events[i],
                                        1, (ademco_zone_t)(i + 1), 0));
  print(frame, ademco_make_hb_packet(frame, sizeof frame, 40, account, 0x1234, (ademco_event_t)1130, 1, 5, 0));
  return 0;
}
