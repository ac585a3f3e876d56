import { assertEquals } from "@std/assert";
import { aProcess, pidsOf } from "../testing/process.ts";
import { findWebTier, isWebTierName } from "./web_tier.ts";

function nginx(pid: number, ppid: number, title: string): ReturnType<typeof aProcess> {
  return aProcess(pid, "nginx", { ppid, argv: [`nginx: ${title}`] });
}

function fpm(pid: number, ppid: number, title: string, comm = "php-fpm8.3"): ReturnType<typeof aProcess> {
  return aProcess(pid, comm, { ppid, argv: [`php-fpm: ${title}`] });
}

Deno.test("findWebTier() sorts the processes of an nginx", () => {
  const { nginx: [instance, ...others], orphans, unclear } = findWebTier([
    nginx(100, 1, "master process /usr/sbin/nginx -g daemon on; master_process on;"),
    nginx(101, 100, "worker process"),
    nginx(102, 100, "worker process"),
    nginx(103, 100, "worker process is shutting down"),
    nginx(104, 100, "cache manager process"),
    nginx(105, 100, "cache loader process"),
    aProcess(106, "grep", { argv: ["grep", "nginx: worker process"] }),
    aProcess(107, "vim", { argv: ["nginx: worker process"] }),
    { ...nginx(108, 100, "worker process"), state: "Z", argv: [] },
  ]);
  assertEquals(instance?.master.pid, 100);
  assertEquals(pidsOf(instance?.workers ?? []), [101, 102]);
  assertEquals(pidsOf(instance?.shuttingDown ?? []), [103]);
  assertEquals(pidsOf(instance?.helpers ?? []), [104, 105]);
  assertEquals([others, orphans, unclear], [[], [], []]);
});

Deno.test("findWebTier() keeps two masters apart while a binary is replaced", () => {
  const { nginx: instances, orphans } = findWebTier([
    nginx(100, 1, "master process /usr/sbin/nginx"),
    nginx(101, 100, "worker process is shutting down"),
    nginx(200, 100, "master process /usr/sbin/nginx"),
    nginx(201, 200, "worker process"),
  ]);
  assertEquals(instances.map(({ master, workers }) => [master.pid, pidsOf(workers)]), [[100, []], [200, [
    201,
  ]]]);
  assertEquals(orphans, []);
});

Deno.test("findWebTier() takes a fork under the title of its master for none", () => {
  const { nginx: instances, fpm: fpms, orphans, unclear } = findWebTier([
    nginx(100, 1, "master process /usr/sbin/nginx"),
    nginx(101, 100, "worker process"),
    { ...nginx(102, 100, "master process /usr/sbin/nginx"), isFork: true },
    fpm(300, 1, "master process (/etc/php/8.3/fpm/php-fpm.conf)"),
    fpm(301, 300, "master process (/etc/php/8.3/fpm/php-fpm.conf)"),
    // One that became a daemon is a fork as well, and so is one below a master of the other kind.
    { ...nginx(400, 1, "master process nginx -c /srv/second.conf"), isFork: true },
    { ...fpm(401, 400, "master process (/etc/php/7.4/fpm/php-fpm.conf)"), isFork: true },
  ]);
  assertEquals(
    instances.map(({ master, workers, newborn }) => [master.pid, pidsOf(workers), pidsOf(newborn)]),
    [[100, [101], [102]], [400, [], []]],
  );
  assertEquals(fpms.map(({ master, newborn }) => [master.pid, pidsOf(newborn)]), [[300, [301]], [401, []]]);
  assertEquals([orphans, unclear], [[], []]);
});

Deno.test("findWebTier() reports workers whose master is gone or of another kind", () => {
  const { orphans } = findWebTier([
    nginx(100, 1, "master process /usr/sbin/nginx"),
    nginx(101, 1, "worker process"),
    nginx(102, 999, "worker process is shutting down"),
    nginx(103, 300, "worker process"),
    fpm(300, 1, "master process (/etc/php/8.3/fpm/php-fpm.conf)"),
    fpm(301, 1, "pool www"),
    fpm(302, 100, "pool www"),
    fpm(303, 300, "pool www"),
  ]);
  assertEquals(pidsOf(orphans), [101, 102, 103, 301, 302]);
});

Deno.test("findWebTier() groups the workers of each php-fpm by pool", () => {
  const { fpm: instances } = findWebTier([
    fpm(300, 1, "master process (/etc/php/8.3/fpm/php-fpm.conf)"),
    fpm(301, 300, "pool www2"),
    fpm(302, 300, "pool www"),
    fpm(303, 300, `pool www${" ".repeat(40)}`),
    fpm(400, 1, "master process (/opt/php74/etc/php74-fpm.conf)", "php-fpm"),
    fpm(401, 400, "pool www", "php-fpm"),
  ]);
  assertEquals(
    instances.map(({ master, confPath, pools }) => [
      master.pid,
      confPath,
      pools.map(({ name, workers }) => [name, pidsOf(workers)]),
    ]),
    [
      [300, "/etc/php/8.3/fpm/php-fpm.conf", [["www", [302, 303]], ["www2", [301]]]],
      [400, "/opt/php74/etc/php74-fpm.conf", [["www", [401]]]],
    ],
  );
});

Deno.test("findWebTier() reads titles that ps has split", () => {
  const { nginx: instances, fpm: fpms } = findWebTier([
    aProcess(100, "nginx", { argv: "nginx: master process /usr/sbin/nginx -g daemon on;".split(" ") }),
    aProcess(101, "nginx", { ppid: 100, argv: ["nginx:", "worker", "process"] }),
    aProcess(300, "php-fpm", { argv: ["php-fpm:", "master", "process", "(/etc/php-fpm.conf)"] }),
    aProcess(301, "php-fpm", { ppid: 300, argv: ["php-fpm:", "pool", "www"] }),
  ]);
  assertEquals(instances.map(({ workers }) => pidsOf(workers)), [[101]]);
  assertEquals(fpms.map(({ confPath, pools }) => [confPath, pools[0]?.name]), [["/etc/php-fpm.conf", "www"]]);
});

Deno.test("findWebTier() knows a master whose title was cut", () => {
  for (const title of ["master process (/etc/php/8.3/fp", "master process (", "master process"]) {
    const [instance] = findWebTier([fpm(300, 1, title)]).fpm;
    assertEquals([instance?.master.pid, instance?.confPath], [300, undefined], title);
  }
});

Deno.test("findWebTier() takes what it does not understand for nothing", () => {
  const { nginx: instances, fpm: fpms, orphans, unclear } = findWebTier([
    aProcess(100, "nginx", { argv: ["nginx", "-t"] }),
    aProcess(101, "nginx", { argv: undefined }),
    aProcess(102, "nginx", { argv: [] }),
    nginx(103, 1, "worker process of another kind"),
    aProcess(104, "php-fpm8.3", { argv: ["/usr/sbin/php-fpm8.3", "--nodaemonize"] }),
    aProcess(105, "nginx", { argv: ["php-fpm: pool www"] }),
  ]);
  assertEquals([instances, fpms, orphans], [[], [], []]);
  assertEquals(pidsOf(unclear), [100, 101, 102, 103, 104, 105]);
});

Deno.test("isWebTierName() knows versions and no lookalikes", () => {
  for (
    const comm of ["nginx", "nginx-debug", "php-fpm", "php-fpm8.3", "php-fpm7.4", "php83-fpm", "php8.3-fpm"]
  ) {
    assertEquals(isWebTierName(comm), true, comm);
  }
  for (const comm of ["nginx2", "php", "php8.3", "php-cgi", "php-fpm-exporte", "php-fpmx", "xphp-fpm"]) {
    assertEquals(isWebTierName(comm), false, comm);
  }
});
