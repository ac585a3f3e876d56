import { assertEquals, assertMatch } from "@std/assert";
import type { Published } from "../../mod/probe/outlets/published.ts";
import { aVerdict } from "../../mod/testing/probe.ts";
import { openTrackFile } from "./track_file.ts";

const SERVING: Published = { verdict: aVerdict(), ageMs: 900, tickMs: 5_000, crawlerBlock: false };
const OUT: Published = { ...SERVING, verdict: aVerdict({ phase: "drained", reason: "web-paused" }) };
const LATE: Published = { ...SERVING, ageMs: 60_000 };

interface Track {
  readonly path: string;
  /** Publishes, and gives what the file says then. */
  readonly say: (published: Published) => string;
  readonly close: () => Promise<void>;
  readonly told: readonly (string | undefined)[];
}

async function withTrack(
  first: Published,
  test: (track: Track) => Promise<void>,
  before?: string,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-track-" });
  const path = `${folder}/keepalived`;
  if (before !== undefined) await Deno.writeTextFile(path, before);
  const told: (string | undefined)[] = [];
  let published = first;
  const outlet = openTrackFile(
    { path, drainedValue: () => -253, published: () => published },
    { tellChange: (_, line) => void told.push(line) },
  );
  try {
    await test({
      path,
      say(next): string {
        published = next;
        outlet.publish();
        return Deno.readTextFileSync(path);
      },
      close: outlet.close,
      told,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("openTrackFile() writes 0 for a host that serves and the number for one that is out", async () => {
  await withTrack(SERVING, async ({ path, say, close }) => {
    assertEquals(Deno.readTextFileSync(path), "0\n");
    assertEquals(say(OUT), "-253\n");
    assertEquals(say(SERVING), "0\n");
    assertEquals(say(OUT), "-253\n");
    assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o644);
    assertEquals(say(LATE), "-253\n");
    await close();
    assertEquals(Deno.readTextFileSync(path), "0\n");
  });
});

Deno.test("openTrackFile() begins with 0 where nothing is known, and leaves what an agent before wrote", async () => {
  await withTrack(LATE, ({ path }) => Promise.resolve(assertEquals(Deno.readTextFileSync(path), "0\n")));
  await withTrack(LATE, ({ say }) => Promise.resolve(assertEquals(say(LATE), "-253\n")), "-253\n");
});

Deno.test("openTrackFile() writes what is there already no second time, and what somebody changed again", async () => {
  await withTrack(OUT, ({ path, say }) => {
    const { ino } = Deno.statSync(path);
    say(OUT);
    assertEquals(Deno.statSync(path).ino, ino);
    Deno.writeTextFileSync(path, "7\n");
    assertEquals(say(OUT), "-253\n");
    Deno.removeSync(path);
    assertEquals(say(OUT), "-253\n");
    return Promise.resolve();
  });
});

Deno.test("openTrackFile() tells of a file that cannot be written, and when it can again", async () => {
  await withTrack(OUT, ({ path, say, told }) => {
    Deno.removeSync(path);
    Deno.mkdirSync(`${path}/x`, { recursive: true });
    try {
      say(SERVING);
    } catch {
      // A folder cannot be read.
    }
    assertMatch(told.at(-1) ?? "", /^Cannot write .*keepalived: it is a folder, move that away$/);
    Deno.removeSync(path, { recursive: true });
    say(SERVING);
    assertEquals(told.at(-1), undefined);
    return Promise.resolve();
  });
});
