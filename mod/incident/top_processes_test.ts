import { assertEquals } from "@std/assert";
import { renderFpmPools, renderTopProcesses } from "./top_processes.ts";

/** A line as `ps` prints it with our columns. */
function row(
  pid: number,
  ppid: number,
  user: string,
  cpu: string,
  state: string,
  comm: string,
  args: string,
): string {
  const columns = [
    String(pid).padStart(10),
    String(ppid).padStart(10),
    user.padEnd(16),
    cpu.padStart(6),
    "81234".padStart(12),
    "312".padStart(10),
    state.padEnd(2),
    comm.padEnd(16),
    args,
  ];
  return columns.join(" ");
}

const PS = [
  row(4120, 812, "www-data", "97.3", "R", "php-fpm8.2", "php-fpm: pool www"),
  row(4121, 812, "www-data", "3.0", "S", "php-fpm8.2", "php-fpm: pool www"),
  row(4130, 900, "root", "2.0", "D", "mysqldump", "mysqldump -psecret --user=shop customers"),
  row(900, 1, "root", "0.0", "S", "bash", "bash /usr/local/sbin/nightly.sh --token=secret"),
  row(812, 1, "root", "0.1", "S", "php-fpm8.2", "php-fpm: master process (/etc/php/8.2/fpm/php-fpm.conf)"),
  row(1, 0, "root", "0.0", "S", "init", "/sbin/init"),
  row(2, 0, "root", "0.0", "S", "kthreadd", "[kthreadd]"),
  "",
].join("\n");

Deno.test("renderTopProcesses() shows the first rows, each with what started it, and no arguments", () => {
  assertEquals(renderTopProcesses(PS).slice(0, 5), [
    "     PID USER             %CPU   RSS KiB    AGE s S COMMAND",
    "    4120 www-data         97.3     81234      312 R php-fpm: pool www < php-fpm8.2 < init",
    "    4121 www-data          3.0     81234      312 S php-fpm: pool www < php-fpm8.2 < init",
    "    4130 root              2.0     81234      312 D mysqldump < bash < init",
    "     900 root              0.0     81234      312 S bash nightly.sh < init",
  ]);
  assertEquals(
    renderTopProcesses(PS).at(-1)?.trim(),
    "2 root              0.0     81234      312 S kthreadd",
  );
});

Deno.test("renderTopProcesses() shows fifteen at most and leaves out what it does not understand", () => {
  const many = Array.from(
    { length: 40 },
    (_, index) => row(100 + index, 1, "root", "1.0", "R", "php", "php x.php"),
  );
  assertEquals(renderTopProcesses(many.join("\n")).length, 16);
  assertEquals(renderTopProcesses("ps: error\n\n").length, 1);
});

Deno.test("renderTopProcesses() reads what ps prints here", async () => {
  const { TOP_ARGUMENTS } = await import("./top_processes.ts");
  const { stdout } = await new Deno.Command("/usr/bin/ps", { args: [...TOP_ARGUMENTS] }).output();
  assertEquals(renderTopProcesses(new TextDecoder().decode(stdout)).length > 2, true);
});

Deno.test("renderFpmPools() counts the workers of each pool and those that work", () => {
  assertEquals(renderFpmPools(PS), [
    "pool www: 2 workers, 1 running or waiting for a disk, 100.3 % of one CPU",
  ]);
  assertEquals(renderFpmPools(""), []);
});
