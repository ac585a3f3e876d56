/** Mail programs of a host: the real s-nail, stand-ins for sendmail, and a disk that is full. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { testMail } from "../../mod/testing/incident.ts";
import { type Need, testNeeding } from "../../test/needs.ts";
import { inWorldOk } from "../../test/world.ts";

const WORLD: readonly Need[] = ["root", "namespaces", "/usr/bin/unshare", "/usr/sbin/ip"];

/** Sends a mail and prints what became of it. */
const SEND = `
const { createMailer } = await import(Deno.args[0] + "/mailer.ts");
const { runCommand } = await import(Deno.args[0] + "/../command.ts");
const send = createMailer({ run: runCommand, deadlineMs: Number(Deno.args[2]) });
console.log(JSON.stringify(await send(JSON.parse(Deno.args[1]))));
`;

/**
 * Hands a mail in on a full disk, then makes room and tries again in each mode; prints what becomes of it.
 */
const QUEUE = `
const { createMailQueue } = await import(Deno.args[0] + "/mail_queue.ts");
const { createMailSpool } = await import(Deno.args[0] + "/mail_spool.ts");
const { createMailer } = await import(Deno.args[0] + "/mailer.ts");
const { runCommand } = await import(Deno.args[0] + "/../command.ts");
const { systemClock } = await import(Deno.args[0] + "/../clock.ts");
let end = () => {};
const sleep = (_ms, signal) => new Promise((resolve) => {
  end = resolve;
  signal.addEventListener("abort", resolve);
});
const queue = createMailQueue({
  clock: { wallMs: () => 1795980674000, sleep },
  send: createMailer({ run: runCommand, deadlineMs: 500 }),
  spool: createMailSpool("/mnt/tiny/mail"),
  report: (line) => console.log(line),
});
const names = () => [...Deno.readDirSync("/mnt/tiny/mail")].map(({ name }) => name.slice(14)).join(" ");
queue.enqueue(JSON.parse(Deno.args[1]));
await queue.idle();
console.log("kept:", names());
Deno.removeSync("/mnt/tiny/filler");
for (const mode of Deno.args[2].split(" ")) {
  Deno.writeTextFileSync("/mnt/mode", mode);
  end();
  await systemClock.sleep(0);
  await queue.idle();
  console.log("kept:", names());
}
await queue.close();
`;

/** A shell script in place of a mail system: writes what it is given to a file, in one go. */
const SENDMAIL = `
install_mta() {
  cat > "$1" <<'MTA'
#!/bin/sh
case "$(cat /mnt/mode 2>/dev/null)" in
  hang) sleep 300 & sleep 300 ;;
  fail) echo "queue file: No space left on device" >&2; exit 75 ;;
esac
{ echo "ARGUMENTS $*"; cat; } >> /tmp/outbox
MTA
  chmod 755 "$1"
}
rm -f /usr/bin/s-nail.away; : > /tmp/outbox
`;

const HOSTILE = testMail(2, {
  subject: "[loadweir] wéb-1: Runaways ended ü",
  text: "héadline\n.\nFrom here on\n ~!touch /tmp/owned\nend\n",
});

/** A command that runs one of our scripts in a world. */
function deno(script: string, ...args: readonly string[]): string {
  const quoted = [script, new URL(".", import.meta.url).href.slice(0, -1), ...args].map((text) =>
    `'${text.replaceAll("'", "'\\''")}'`
  );
  const config = new URL("../../deno.json", import.meta.url).pathname;
  return `${Deno.execPath()} eval --quiet --no-lock --config ${config} ${quoted.join(" ")}`;
}

testNeeding(
  [...WORLD, "/usr/bin/s-nail"],
  "createMailer() hands a mail to s-nail, which encodes it and waits for the mail system",
  async () => {
    const output = await inWorldOk(
      `${SENDMAIL}
      install_mta /usr/sbin/sendmail
      ${deno(SEND, JSON.stringify(HOSTILE), "20000")}
      cat /tmp/outbox; ls /tmp/owned /root/dead.letter 2>/dev/null || :`,
      { bind: false },
    );
    assertStringIncludes(output, '{"kind":"sent","program":"/usr/bin/s-nail"}');
    assertStringIncludes(output, "ARGUMENTS -i -- admin@example.org\n");
    assertMatch(output, /\nTo: admin@example\.org\n/);
    assertMatch(output, /\nSubject: (?=.*=\?utf-8\?)[ -~]+\n/);
    assertStringIncludes(output, "\nMessage-ID: <loadweir.20261129T193114Z.2@web-1>\n");
    assertStringIncludes(output, "\nIn-Reply-To: <loadweir.20261129T193114Z.1@web-1>\n");
    assertStringIncludes(output, "\nAuto-Submitted: auto-generated\n");
    assertStringIncludes(output, "h=C3=A9adline\n");
    assertEquals(/owned$|dead\.letter$/.test(output), false, output);
  },
);

testNeeding(
  WORLD,
  "createMailer() gives sendmail a whole message in ASCII, with its recipient as an argument",
  async () => {
    const output = await inWorldOk(
      `${SENDMAIL}
      rm -f /usr/bin/s-nail /usr/sbin/sendmail
      install_mta /usr/lib/sendmail
      ${deno(SEND, JSON.stringify(HOSTILE), "20000")}
      cat /tmp/outbox`,
      { bind: false },
    );
    assertStringIncludes(
      output,
      '{"kind":"sent","program":"/usr/lib/sendmail"}\nARGUMENTS -i admin@example.org\n',
    );
    assertStringIncludes(output, "\nDate: Sun, 29 Nov 2026 19:31:16 +0000\n");
    assertMatch(output, /\nSubject: =\?UTF-8\?Q\?=5Bloadweir=5D_w=C3=A9b-1[ -~]+\?=\n =\?UTF-8/);
    assertStringIncludes(output, "\nReferences: <loadweir.20261129T193114Z.1@web-1>\n");
    assertStringIncludes(output, "\nh=C3=A9adline\n");
    // deno-lint-ignore no-control-regex
    assertMatch(output, /^[\x00-\x7f]*$/);
  },
);

testNeeding(WORLD, "createMailer() falls back to mail, and says what every program said", async () => {
  const output = await inWorldOk(
    `${SENDMAIL}
    rm -f /usr/bin/s-nail /usr/sbin/sendmail /usr/lib/sendmail
    ${deno(SEND, JSON.stringify(HOSTILE), "20000")}
    install_mta /usr/bin/mail
    ${deno(SEND, JSON.stringify(HOSTILE), "20000")}
    cat /tmp/outbox
    echo fail > /mnt/mode
    install_mta /usr/sbin/sendmail
    ${deno(SEND, JSON.stringify(HOSTILE), "20000")}`,
    { bind: false },
  );
  const [none, sent, args, headline] = output.split("\n");
  assertMatch(
    none ?? "",
    /^\{"kind":"failed","error":"none of .* can be started \(run: apt install s-nail\)"\}$/,
  );
  assertEquals(sent, '{"kind":"sent","program":"/usr/bin/mail"}');
  assertEquals(args, "ARGUMENTS -s [loadweir] w?b-1: Runaways ended ? admin@example.org");
  assertEquals(headline, "h?adline");
  assertStringIncludes(
    output,
    "/usr/sbin/sendmail exited 75: queue file: No space left on device; /usr/bin/mail exited 75: queue file",
  );
});

testNeeding(
  WORLD,
  "createMailQueue() outlives a full disk and a mailer that hangs, fails, then works: one delivery",
  async () => {
    const output = await inWorldOk(
      `${SENDMAIL}
      rm -f /usr/bin/s-nail /usr/bin/mail /usr/lib/sendmail
      install_mta /usr/sbin/sendmail
      mkdir /mnt/tiny
      mount -t tmpfs -o size=32k,mode=755 tmpfs /mnt/tiny
      mkdir /mnt/tiny/mail
      dd if=/dev/zero of=/mnt/tiny/filler bs=4096 2>/dev/null || :
      echo hang > /mnt/mode
      sleep 400 & innocent=$!
      ${deno(QUEUE, JSON.stringify(testMail(1)), "fail works works")}
      echo "delivered: $(grep -c ^Message-ID /tmp/outbox)"
      pgrep -x sleep | tr '\\n' ' ' | sed "s/$innocent /innocent/"`,
      { bind: false },
    );
    assertEquals(output.trim().split("\n"), [
      "Cannot keep a mail in /mnt/tiny/mail: no space left on its file system, make room there",
      "Cannot keep a mail in /mnt/tiny/mail: no space left on its file system, make room there",
      "mail not sent, again in 1 m: [loadweir] web-1: mail 1: /usr/sbin/sendmail took longer than 500 ms",
      "kept: ",
      "mail not sent, again in 2 m: [loadweir] web-1: mail 1: " +
      "/usr/sbin/sendmail exited 75: queue file: No space left on device",
      "kept: loadweir.20261129T193114Z.1@web-1.json",
      "mail sent with /usr/sbin/sendmail: [loadweir] web-1: mail 1",
      "kept: ",
      "kept: ",
      "delivered: 1",
      "innocent",
    ]);
  },
);
