/** Ledgers for tests. */

import type { Ledger } from "../hold/ledger.ts";

/** A ledger with everything in it: a hold by hand while the web is being started again. */
export const FULL_LEDGER: Ledger = {
  bootId: "6b1f5b9e-2c1d-4f6e-9c39-7c4c0f4bb2ab",
  writtenBootMs: 812_000,
  writtenWallMs: 1_796_155_865_000,
  hold: {
    reason: "by-hand",
    text: "moving the database — until “noon”",
    sinceBootMs: 811_500,
    sinceWallMs: 1_796_155_864_500,
    higherPercentAtStart: 671.5,
    services: [
      {
        kind: "nginx",
        manager: "systemd",
        name: "nginx.service",
        program: undefined,
        args: [],
        confPath: undefined,
        boundUnits: ["shop-cache.service"],
      },
      {
        kind: "php-fpm",
        manager: "none",
        name: "/usr/sbin/php-fpm8.2",
        program: "/usr/sbin/php-fpm8.2",
        args: ["--fpm-config", "/etc/php/8.2/fpm/php-fpm.conf"],
        confPath: "/etc/php/8.2/fpm/php-fpm.conf",
      },
    ],
    phase: "starting",
    startedAgain: ["/usr/sbin/php-fpm8.2"],
    expiresBootMs: 2_000_000,
  },
  crawlerBlock: { on: true, ours: true, sinceWallMs: 1_796_155_800_000 },
  ladder: {
    markers: ["max_load", "spider_load"],
    hold: { sinceBootMs: 811_500, overdueReported: false },
    futileAtPercent: 700.2,
    lastValidBootMs: 811_900,
  },
  byHand: { what: "hold", untilBootMs: 2_000_000, reason: "moving the database" },
  drain: { wants: "drain", untilBootMs: undefined, reason: "new disk" },
};
