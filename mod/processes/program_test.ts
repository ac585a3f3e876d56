import { assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { baseName, identityOf, isInterpreter, programOf } from "./program.ts";

/** What the arguments of a process say it is; undefined where they say nothing. */
function identity(...argv: string[]): string | undefined {
  const program = programOf(argv);
  return program === undefined ? undefined : identityOf(program);
}

for (
  const { argv, is } of [
    // Not interpreters: the program is what counts, whatever its arguments.
    { argv: ["/usr/bin/mydumper", "-B", "shop"], is: "/usr/bin/mydumper" },
    { argv: ["vim", "/x/job.sh"], is: "vim" },
    { argv: ["grep", "-r", "duplicity"], is: "grep" },
    { argv: ["/usr/lib/pms/Plex Media Server"], is: "/usr/lib/pms/Plex Media Server" },
    { argv: ["timeout", "1h", "/x/job.sh"], is: "timeout" },
    { argv: ["sudo", "-u", "root", "bash", "/x/job.sh"], is: "sudo" },
    { argv: ["env", "FOO=1", "/x/job.sh"], is: "env" },
    { argv: ["nice", "-n", "19", "/x/job.sh"], is: "nice" },
    { argv: ["ionice", "-c3", "/x/job.sh"], is: "ionice" },
    { argv: ["php-fpm8.3", "-F"], is: "php-fpm8.3" },
    { argv: ["php-cgi", "/x/job.php"], is: "php-cgi" },
    // Shells.
    { argv: ["/bin/bash", "/x/job.sh", "full"], is: "/x/job.sh" },
    { argv: ["bash", "-x", "/x/job.sh"], is: "/x/job.sh" },
    { argv: ["bash", "-eu", "/x/job.sh"], is: "/x/job.sh" },
    { argv: ["bash", "-euo", "pipefail", "/x/job.sh"], is: "/x/job.sh" },
    { argv: ["bash", "-e", "-o", "pipefail", "+o", "history", "+x", "/x/job.sh"], is: "/x/job.sh" },
    { argv: ["bash", "-O", "extglob", "/x/job.sh"], is: "/x/job.sh" },
    { argv: ["bash", "-oe", "pipefail", "/x/job.sh"], is: "/x/job.sh" },
    { argv: ["bash", "--norc", "--rcfile", "/x/rc", "/x/job.sh"], is: "/x/job.sh" },
    { argv: ["bash", "--", "-odd.sh"], is: "-odd.sh" },
    { argv: ["dash", "-", "/x/job.sh"], is: "/x/job.sh" },
    { argv: ["sh", "./job.sh"], is: "./job.sh" },
    { argv: ["bash", "-c", "/x/job.sh"], is: "bash" },
    { argv: ["bash", "-xc", "/x/job.sh", "/x/job.sh"], is: "bash" },
    { argv: ["bash", "-euo", "pipefail", "-c", "/x/job.sh"], is: "bash" },
    { argv: ["bash", "-s", "/x/job.sh"], is: "bash" },
    { argv: ["bash"], is: "bash" },
    { argv: ["-bash"], is: "-bash" },
    { argv: ["-bash", "/x/job.sh"], is: "/x/job.sh" },
    { argv: ["bash", "-o"], is: "bash" },
    { argv: ["bash", "--"], is: "bash" },
    { argv: ["busybox", "sh", "-e", "/x/job.sh"], is: "/x/job.sh" },
    { argv: ["busybox", "vi", "/x/job.sh"], is: "vi" },
    { argv: ["busybox"], is: "busybox" },
    // Python.
    { argv: ["/usr/bin/python3", "/usr/bin/duplicity", "full"], is: "/usr/bin/duplicity" },
    { argv: ["/venvs/duplicity/bin/python", "/x/duplicity"], is: "/x/duplicity" },
    { argv: ["python3.11", "-u", "/x/job"], is: "/x/job" },
    { argv: ["python2", "-O2", "-W", "ignore", "-X", "dev", "/x/job"], is: "/x/job" },
    { argv: ["python3", "-Wignore", "-Xdev", "/x/job"], is: "/x/job" },
    { argv: ["python3", "-uW", "ignore", "/x/job"], is: "/x/job" },
    { argv: ["python3", "--check-hash-based-pycs", "always", "/x/job"], is: "/x/job" },
    { argv: ["python3", "--check-hash-based-pycs=always", "/x/job"], is: "/x/job" },
    { argv: ["pypy3", "--jit", "off", "/x/job"], is: "/x/job" },
    { argv: ["python3", "-m", "duplicity", "full"], is: "duplicity" },
    { argv: ["python3", "-mduplicity"], is: "duplicity" },
    { argv: ["python3", "-um", "duplicity"], is: "duplicity" },
    { argv: ["python3", "-c", "import duplicity", "/x/job"], is: "python3" },
    { argv: ["python3", "-Ic", "import duplicity", "/x/job"], is: "python3" },
    { argv: ["python3", "-", "/x/job"], is: "python3" },
    { argv: ["python3", "-m"], is: "python3" },
    // Perl.
    { argv: ["perl", "-w", "/x/job.pl"], is: "/x/job.pl" },
    {
      argv: ["/usr/bin/perl5.36.0", "-T", "-I", "/x/lib", "-Mstrict", "-i.bak", "/x/job.pl"],
      is: "/x/job.pl",
    },
    { argv: ["perl", "-I/x/lib", "/x/job.pl"], is: "/x/job.pl" },
    { argv: ["perl", "-pi.before", "/x/job.pl"], is: "/x/job.pl" },
    { argv: ["perl", "-lne", "print", "/x/job.pl"], is: "perl" },
    { argv: ["perl", "-0777", "-pe", "s/a/b/", "/x/job.pl"], is: "perl" },
    { argv: ["perl", "-d:NYTProf", "/x/job.pl"], is: "/x/job.pl" },
    // Ruby.
    { argv: ["ruby", "-r", "json", "-W0", "--enable", "yjit", "/x/job.rb"], is: "/x/job.rb" },
    { argv: ["ruby3.1", "-C", "/x", "job.rb"], is: "job.rb" },
    { argv: ["ruby", "-e", "sleep", "/x/job.rb"], is: "ruby" },
    // PHP.
    { argv: ["/opt/php83/bin/php", "/x/drush.php", "cron"], is: "/x/drush.php" },
    { argv: ["php8.3", "-d", "memory_limit=1G", "-dx=y", "-n", "/x/job.php"], is: "/x/job.php" },
    { argv: ["php", "-f", "/x/job.php", "--", "a"], is: "/x/job.php" },
    { argv: ["php", "-qf/x/job.php"], is: "/x/job.php" },
    { argv: ["php", "--file=/x/job.php"], is: "/x/job.php" },
    { argv: ["php", "-r", "sleep(9);", "/x/job.php"], is: "php" },
    { argv: ["php", "--run=sleep(9);", "/x/job.php"], is: "php" },
    { argv: ["php", "-S", "127.0.0.1:8000", "/x/job.php"], is: "php" },
    // Titles, whole and split at blanks.
    { argv: ["nginx: worker process"], is: "nginx" },
    { argv: ["nginx: master process /usr/sbin/nginx -g daemon on;"], is: "nginx" },
    { argv: ["php-fpm:", "pool", "www"], is: "php-fpm" },
    { argv: ["postgres: backup shop 10.0.0.1(5432) COPY"], is: "postgres" },
    { argv: ["sshd: root@pts/0"], is: "sshd" },
    { argv: ["/opt/a: b/tool"], is: "/opt/a: b/tool" },
    // Nothing to go by.
    { argv: [], is: undefined },
    { argv: ["", "x"], is: undefined },
  ]
) {
  Deno.test(`programOf() takes ${JSON.stringify(argv)} for ${is}`, () => assertEquals(identity(...argv), is));
}

Deno.test("programOf() tells program and script apart", () => {
  assertEquals(programOf(["/usr/bin/python3", "-u", "/usr/bin/duplicity"]), {
    path: "/usr/bin/python3",
    name: "python3",
    script: "/usr/bin/duplicity",
  });
  assertEquals(programOf(["-bash"]), { path: "-bash", name: "bash", script: undefined });
});

Deno.test("programOf() never throws, and finds the script only among the arguments", () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "bash",
      "python3",
      "perl",
      "php",
      "ruby",
      "busybox",
      "-",
      "--",
      "-c",
      "-o",
      "-m",
      "-f",
      "--file=",
    ),
  );
  fc.assert(
    fc.property(fc.array(word), (argv) => {
      const script = programOf(argv)?.script;
      return script === undefined || argv.slice(1).some((argument) => argument.endsWith(script));
    }),
    { numRuns: 10_000 },
  );
});

Deno.test("isInterpreter() is a closed list with versions", () => {
  const shells = "sh bash rbash dash ash ksh ksh93 mksh zsh busybox";
  const others = "python python2 python3.11 pypy3 perl perl5.36.0 ruby3.1 php php8.3 php83";
  for (const name of `${shells} ${others}`.split(" ")) assertEquals(isInterpreter(name), true, name);
  const none = "env sudo vim php-fpm php-fpm8.3 php-cgi phpd bashtop pythonw node sshd shutdown";
  for (const name of none.split(" ")) assertEquals(isInterpreter(name), false, name);
});

Deno.test("baseName() is what follows the last slash", () => {
  assertEquals(["/a/b", "b", "/", "a/", ""].map(baseName), ["b", "b", "/", "a/", ""]);
});
