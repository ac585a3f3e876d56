import { assert, assertEquals } from "@std/assert";
import type { Mail } from "../../mod/incident/mail.ts";
import { INCIDENT_WALL_MS, testMail } from "../../mod/testing/incident.ts";
import { createMailQueue, type MailQueue, type MailQueuePorts } from "./mail_queue.ts";
import { createMailSpool, type MailSpool } from "./mail_spool.ts";
import type { MailOutcome } from "./mailer.ts";

const SENT: MailOutcome = { kind: "sent", program: "/usr/sbin/sendmail" };
const FAILED: MailOutcome = { kind: "failed", error: "exited 75" };

/** A mail system of a test: what it answers, what it was given, how long was waited, what was reported. */
interface Desk {
  readonly given: number[];
  readonly delaysMs: number[];
  readonly reports: string[];
  readonly time: { wallMs: number };
  answer: (mail: Mail) => MailOutcome | Promise<MailOutcome>;
  /** Ends the wait for the next attempt. */
  readonly passDelay: () => Promise<void>;
  readonly ports: (spool: MailSpool) => MailQueuePorts;
}

function desk(): Desk {
  const time = { wallMs: INCIDENT_WALL_MS };
  let endDelay: () => void = () => {};
  const it: Desk = {
    given: [],
    delaysMs: [],
    reports: [],
    time,
    answer: () => SENT,
    passDelay: async () => {
      endDelay();
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    ports: (spool) => ({
      spool,
      clock: {
        wallMs: () => time.wallMs,
        sleep: (ms, signal) => {
          it.delaysMs.push(ms);
          return new Promise((resolve) => {
            endDelay = resolve;
            signal?.addEventListener("abort", () => resolve());
          });
        },
      },
      send: async (mail) => {
        it.given.push(numberOf(mail));
        return await it.answer(mail);
      },
      report: (line) => it.reports.push(line),
    }),
  };
  return it;
}

function numberOf({ subject }: Mail): number {
  return Number(subject.split(" ").at(-1));
}

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(`${folder}/mail`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function namesIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** Waits for the next attempt that is due by itself. */
async function nextAttempt(it: Desk, queue: MailQueue): Promise<void> {
  await it.passDelay();
  await queue.idle();
}

Deno.test("createMailQueue() sends one mail at a time, in their order, and keeps none of them", async () => {
  await withFolder(async (folder) => {
    const it = desk();
    let running = 0;
    it.answer = async () => {
      running += 1;
      assertEquals(running, 1, "two mailers at the same time");
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return SENT;
    };
    const queue = createMailQueue(it.ports(createMailSpool(folder)));
    for (const number of [1, 2, 3]) queue.enqueue(testMail(number));
    await queue.idle();
    assertEquals(it.given, [1, 2, 3]);
    assertEquals(namesIn(folder), []);
    queue.enqueue(testMail(4));
    await queue.idle();
    assertEquals(it.given, [1, 2, 3, 4]);
    await queue.close();
    assertEquals(it.delaysMs, []);
  });
});

Deno.test("createMailQueue() keeps a mail on disk until it is sent, once", async () => {
  await withFolder(async (folder) => {
    const it = desk();
    it.answer = (): MailOutcome => {
      assertEquals(namesIn(folder).length, 1, "not on disk while a mailer has it");
      return it.given.length < 4 ? FAILED : SENT;
    };
    const queue = createMailQueue(it.ports(createMailSpool(folder)));
    queue.enqueue(testMail(1));
    await queue.idle();
    for (let time = 0; time < 3; time++) await nextAttempt(it, queue);
    assertEquals(it.given, [1, 1, 1, 1]);
    assertEquals(it.delaysMs, [60_000, 120_000, 240_000]);
    assertEquals(namesIn(folder), []);
    await queue.close();
    assertEquals(it.reports, [
      "mail not sent, again in 1 m: [loadweir] web-1: mail 1: exited 75",
      "mail not sent, again in 2 m: [loadweir] web-1: mail 1: exited 75",
      "mail not sent, again in 4 m: [loadweir] web-1: mail 1: exited 75",
      "mail sent with /usr/sbin/sendmail: [loadweir] web-1: mail 1",
    ]);
  });
});

Deno.test("createMailQueue() waits an hour at most, and gives up what is three days old", async () => {
  await withFolder(async (folder) => {
    const it = desk();
    it.answer = () => FAILED;
    const queue = createMailQueue(it.ports(createMailSpool(folder)));
    queue.enqueue(testMail(1));
    await queue.idle();
    for (let time = 0; time < 10; time++) await nextAttempt(it, queue);
    assertEquals(it.delaysMs.slice(-3), [3_600_000, 3_600_000, 3_600_000]);
    it.time.wallMs += 4 * 24 * 3_600_000;
    await nextAttempt(it, queue);
    assertEquals(it.reports.at(-1), "mail given up after 3 d: [loadweir] web-1: mail 1: exited 75");
    assertEquals(namesIn(folder), []);
    await queue.close();
  });
});

Deno.test("createMailQueue() tries a new mail at once, before those refused", async () => {
  await withFolder(async (folder) => {
    const it = desk();
    it.answer = (mail) => numberOf(mail) === 1 ? FAILED : SENT;
    const queue = createMailQueue(it.ports(createMailSpool(folder)));
    queue.enqueue(testMail(1));
    await queue.idle();
    queue.enqueue(testMail(2));
    await queue.idle();
    assertEquals(it.given, [1, 2, 1]);
    assertEquals(namesIn(folder).length, 1);
    await queue.close();
  });
});

Deno.test("createMailQueue() sends what an earlier run left, and a mail handed in twice once", async () => {
  await withFolder(async (folder) => {
    const first = desk();
    first.answer = () => FAILED;
    const broken = createMailQueue(first.ports(createMailSpool(folder)));
    broken.enqueue(testMail(1));
    broken.enqueue(testMail(2));
    broken.enqueue(testMail(2));
    await broken.idle();
    await broken.close();
    assertEquals(namesIn(folder).length, 2);

    Deno.writeTextFileSync(`${folder}/1-loadweir.torn.json`, '{"to":"admin@exa');
    Deno.writeTextFileSync(`${folder}/2-loadweir.half.json.new`, "{}");
    Deno.writeTextFileSync(`${folder}/README`, "not ours");
    const second = desk();
    const queue = createMailQueue(second.ports(createMailSpool(folder)));
    await queue.idle();
    assertEquals(second.given, [1, 2]);
    assertEquals(namesIn(folder), ["README"]);
    await queue.close();
  });
});

Deno.test("createMailQueue() keeps the fifty newest", async () => {
  await withFolder(async (folder) => {
    const it = desk();
    it.answer = () => FAILED;
    const queue = createMailQueue(it.ports(createMailSpool(folder)));
    for (let number = 1; number <= 60; number++) queue.enqueue(testMail(number));
    await queue.idle();
    assertEquals(namesIn(folder).length, 50);
    it.answer = () => SENT;
    await nextAttempt(it, queue);
    assertEquals(Math.min(...it.given.slice(1)), 11);
    await queue.close();
  });
});

Deno.test("createMailQueue() sends without a disk, and says what is wrong with it", async () => {
  const it = desk();
  const queue = createMailQueue(it.ports(createMailSpool("/dev/null/mail")));
  it.answer = () => it.given.length < 2 ? FAILED : SENT;
  queue.enqueue(testMail(1));
  await queue.idle();
  await nextAttempt(it, queue);
  assertEquals(it.given, [1, 1]);
  assert(it.reports[0]?.startsWith("Cannot keep a mail in /dev/null/mail: "), it.reports[0] ?? "");
  await queue.close();
});

Deno.test("createMailQueue() takes a mailer that throws for one that failed", async () => {
  await withFolder(async (folder) => {
    const it = desk();
    it.answer = () => Promise.reject(new Error("out of memory"));
    const queue = createMailQueue(it.ports(createMailSpool(folder)));
    queue.enqueue(testMail(1));
    await queue.idle();
    assertEquals(it.reports, ["mail not sent, again in 1 m: [loadweir] web-1: mail 1: out of memory"]);
    await queue.close();
  });
});

Deno.test("createMailQueue() closes while it waits, and keeps what comes after on disk", async () => {
  await withFolder(async (folder) => {
    const it = desk();
    it.answer = () => FAILED;
    const queue = createMailQueue(it.ports(createMailSpool(folder)));
    queue.enqueue(testMail(1));
    await queue.idle();
    await queue.close();
    await queue.idle();
    assertEquals([it.given, namesIn(folder).length], [[1], 1]);
  });
});
