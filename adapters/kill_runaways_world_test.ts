/** Ending runaways among real processes, in a world of its own. */

import { assert, assertEquals } from "@std/assert";
import { DEFAULT_PATTERNS } from "../mod/testing/process.ts";
import { testNeeding } from "../test/needs.ts";
import { inWorldOk } from "../test/world.ts";
import type { RunawaysOutcome } from "./kill_runaways.ts";

/** Programs that are what they are called, as far as the kernel knows. */
const STAGE = `
mkdir /tmp/stage
cd /tmp/stage
for name in php curl wget php8.1 php-cgi wget2 php-fpm php-fpm8.2 nginx mydumper; do cp /bin/bash $name; done
cat > wait.sh <<'END'
trap '' TERM
while :; do read -t 100 line <> /tmp/stage/fifo; done
END
cat > burn.php <<'END'
while :; do :; done
END
echo 'read -t 0.5 line <> /tmp/stage/fifo' > brief.php
mkfifo fifo
chmod 666 fifo
printf '#!/bin/bash\\n%s' "$(cat wait.sh)" > drush.php
printf '#!/bin/bash\\n./php wait.sh & ( ./curl wait.sh & wait ) & wait\\n' > mysql_backup.sh
chmod +x drush.php mysql_backup.sh
start() { name=$1; shift; "$@" > /dev/null 2>&1 & echo "$name $!"; }
start guilty-php ./php burn.php --password=hunter2
start guilty-curl ./curl wait.sh
start guilty-wget setpriv --reuid=65534 --clear-groups ./wget wait.sh
start guilty-drush ./drush.php cron
start guilty-stopped ./php wait.sh
stopped=$!
start backup ./mysql_backup.sh
start engine ./mydumper wait.sh
start marked bash -c './php wait.sh & wait'
echo $! > marker
start container unshare --pid --fork ./php wait.sh
start php8.1 ./php8.1 wait.sh
start php-cgi ./php-cgi wait.sh
start wget2 ./wget2 wait.sh
start fpm ./php-fpm wait.sh
start fpm8.2 ./php-fpm8.2 wait.sh
start nginx ./nginx wait.sh
start by-argument bash wait.sh php
start collector bash -c './php brief.php & ./php wait.sh & exec sleep 300'
for turn in $(seq 200); do
  phps=$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx php || :)
  curls=$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx curl || :)
  zombies=$(cat /proc/[0-9]*/stat 2>/dev/null | grep -c '(php) Z ' || :)
  wgets=$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx wget || :)
  if [ "$phps $curls $zombies $wgets" = '7 2 1 1' ]; then break; fi
  sleep 0.05
done
kill -STOP $stopped
echo ---
`;

/** Ends runaways as the agent does, with a runaway of its own below it. */
const KILLER = `
const [adapters, root] = Deno.args;
const { killRunaways } = await import(adapters + "kill_runaways.ts");
const { createProcessReader } = await import(adapters + "process_reader.ts");
const { runCommand } = await import(adapters + "command.ts");
const { systemClock } = await import(adapters + "clock.ts");
const own = new Deno.Command("./curl", { args: ["wait.sh"] }).spawn();
// Between fork and exec it still has our name.
while (Deno.readTextFileSync("/proc/" + own.pid + "/comm").trim() !== "curl") {
  await new Promise((resolve) => setTimeout(resolve, 5));
}
const source = { kind: "proc-root", root, name: "bind-mount" };
const processes = createProcessReader(source, runCommand);
const settings = {
  names: ["php", "drush.php", "wget", "curl", "php-fpm", "php-fpm8.2", "nginx"],
  backups: { patterns: ${JSON.stringify(DEFAULT_PATTERNS)}, markerPath: "/tmp/stage/marker" },
};
const outcome = await killRunaways(settings, { run: runCommand, processes, source, clock: systemClock });
const again = await killRunaways(settings, { run: runCommand, processes, source, clock: systemClock });
const states = {};
for (const { name } of Deno.readDirSync("/proc")) {
  try {
    if (/^\\d/.test(name)) states[name] = Deno.readTextFileSync("/proc/" + name + "/stat").split(") ").pop();
  } catch {}
}
console.log(JSON.stringify({ outcome, again, states, own: own.pid }));
Deno.exit(0);
`;

interface Aftermath {
  readonly outcome: RunawaysOutcome;
  readonly again: RunawaysOutcome;
  /** Of each process what follows its name in its \`stat\`: state, parent and so on. */
  readonly states: Readonly<Record<string, string>>;
  readonly own: number;
}

const WORLD = ["root", "namespaces", "/usr/bin/unshare", "/usr/sbin/ip", "/usr/bin/kill", "/usr/bin/setpriv"];

testNeeding(
  WORLD as Parameters<typeof testNeeding>[0],
  "killRunaways() ends the guilty among real processes, and no other",
  async () => {
    const output = await inWorldOk(
      `${STAGE}
cat > killer.ts <<'END'
${KILLER}
END
export DENO_DIR=/tmp/deno
${Deno.execPath()} run --quiet --no-lock --allow-all killer.ts ${import.meta.resolve("./")} /run/loadweir/proc
: not the last command, so that the shell stays and the guilty are its children`,
      { bind: true },
    );
    const [names = "", json = ""] = output.split("---\n");
    const pids = new Map(
      names.trim().split("\n").map((line) => line.split(" ")).map(([name = "", pid]) => [name, Number(pid)]),
    );
    const namesByPid = new Map([...pids].map(([name, pid]) => [pid, name]));
    const { outcome, again, states, own }: Aftermath = JSON.parse(json);
    assert(outcome.kind === "done" && again.kind === "done");
    const isRunning = (pid: number): boolean => /^[^ZX]/.test(states[`${pid}`] ?? "Z");
    const collected = outcome.ended.filter(({ victim: { pid } }) => !namesByPid.has(pid));
    const guilty = [...pids.keys()].filter((name) => name.startsWith("guilty-"));

    assertEquals(outcome.survivors, 0);
    assertEquals(
      outcome.ended.map(({ victim: { pid }, ending }) => [namesByPid.get(pid) ?? "uncollected", ending])
        .toSorted(),
      [...guilty, "uncollected"].toSorted().map((name) => [name, "ended"]),
    );
    assertEquals(guilty.filter((name) => isRunning(pids.get(name) ?? 0)), []);
    // Its parent collects nobody: it stays as a zombie, and that is no failure.
    assertEquals(collected.map(({ victim: { pid } }) => states[`${pid}`]?.slice(0, 1)), ["Z"]);

    const innocent = [...pids.keys()].filter((name) => !name.startsWith("guilty-"));
    assertEquals(innocent.filter((name) => !isRunning(pids.get(name) ?? 0)), []);
    assert(isRunning(own));
    const reasons = outcome.spared.map(({ reason }) => reason).toSorted();
    assertEquals(reasons, [
      "descendant-of-backup",
      "descendant-of-backup",
      "descendant-of-backup",
      "descendant-of-self",
      "other-pid-namespace",
    ]);
    assertEquals(outcome.spared.filter(({ victim: { pid } }) => !isRunning(pid)), []);
    assertEquals([again.ended, again.spared.length], [[], outcome.spared.length]);

    const records = new Map(outcome.ended.map(({ victim }) => [namesByPid.get(victim.pid), victim]));
    assertEquals(records.get("guilty-php")?.command, "php burn.php");
    assertEquals(records.get("guilty-drush")?.command, "drush.php");
    assertEquals([records.get("guilty-php")?.user, records.get("guilty-wget")?.user], ["root", "nobody"]);
    assert((records.get("guilty-php")?.cpuS ?? 0) > 0);
    for (const { victim: { ageS, rssKib } } of outcome.ended) {
      assert(ageS !== undefined && ageS < 60 && rssKib !== undefined && rssKib > 100);
    }
  },
);
