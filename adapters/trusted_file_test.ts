import { assertEquals, assertMatch } from "@std/assert";
import { readTrustedFile } from "./trusted_file.ts";

const NOBODY = 65534;

/** Root is needed to give files away; on a build host a test that cannot run is a failure. */
const needsRoot = { ignore: Deno.uid() !== 0 && Deno.env.get("CI") !== "true" };

/** Runs a test in a folder of root's that is removed afterwards. */
async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function chown(path: string, uid: number): Promise<void> {
  await new Deno.Command("chown", { args: ["-h", String(uid), path] }).output();
}

function write(path: string, text: string | Uint8Array, mode = 0o644): string {
  Deno.writeFileSync(path, typeof text === "string" ? new TextEncoder().encode(text) : text);
  Deno.chmodSync(path, mode);
  return path;
}

async function errorOf(path: string, asRoot = true): Promise<string> {
  const reading = await readTrustedFile(path, asRoot);
  return reading.kind === "failed" ? reading.error : `not failed but ${reading.kind}`;
}

Deno.test(
  "readTrustedFile() reads a file of root's, with or without byte order mark",
  needsRoot,
  async () => {
    await inFolder(async (folder) => {
      for (const mode of [0o644, 0o600, 0o400]) {
        const path = write(`${folder}/${mode}.ini`, "\uFEFF[a]\nx = 1\n", mode);
        assertEquals(await readTrustedFile(path, true), { kind: "ok", value: "[a]\nx = 1\n" });
      }
      assertEquals(await readTrustedFile(write(`${folder}/empty`, ""), true), { kind: "ok", value: "" });
    });
  },
);

Deno.test("readTrustedFile() refuses a file of somebody else's, with the cure", needsRoot, async () => {
  await inFolder(async (folder) => {
    const path = write(`${folder}/x.ini`, "x");
    await chown(path, NOBODY);
    assertEquals(await errorOf(path), `owned by uid 65534, expected root (run: chown root: ${path})`);
    assertEquals(await readTrustedFile(path, false), { kind: "ok", value: "x" });
    await chown(path, 0);
    assertEquals(await readTrustedFile(path, true), { kind: "ok", value: "x" });
  });
});

Deno.test("readTrustedFile() refuses a file that the group or all may write", needsRoot, async () => {
  await inFolder(async (folder) => {
    for (const [mode, shown] of [[0o664, "664"], [0o646, "646"], [0o620, "620"]] as const) {
      const path = write(`${folder}/x.ini`, "x", mode);
      assertEquals(
        await errorOf(path),
        `mode is ${shown}, so that others may write it (run: chmod go-w ${path})`,
      );
      assertEquals((await readTrustedFile(path, false)).kind, "ok");
    }
  });
});

Deno.test(
  "readTrustedFile() refuses a file in a folder where others may put another one",
  needsRoot,
  async () => {
    await inFolder(async (folder) => {
      const path = write(`${folder}/x.ini`, "x");
      Deno.chmodSync(folder, 0o777);
      assertEquals(
        await errorOf(path),
        `in folder ${folder} that others may write (run: chmod go-w ${folder})`,
      );
      Deno.chmodSync(folder, 0o1777);
      assertEquals((await readTrustedFile(path, true)).kind, "ok", "a sticky folder is like /tmp");
      Deno.chmodSync(folder, 0o755);
      await chown(folder, NOBODY);
      assertEquals(
        await errorOf(path),
        `in folder ${folder} owned by uid 65534, expected root (run: chown root: ${folder})`,
      );
    });
  },
);

Deno.test("readTrustedFile() follows a link of root's, looking at its target", needsRoot, async () => {
  await inFolder(async (folder) => {
    const target = write(`${folder}/target.ini`, "x");
    const link = `${folder}/link.ini`;
    Deno.symlinkSync(target, link);
    assertEquals(await readTrustedFile(link, true), { kind: "ok", value: "x" });

    await chown(link, NOBODY);
    assertEquals(
      await errorOf(link),
      `a link owned by uid 65534, expected root (run: chown -h root: ${link})`,
    );
    await chown(link, 0);
    Deno.chmodSync(target, 0o666);
    assertMatch(await errorOf(link), /^mode is 666/);
    Deno.chmodSync(target, 0o644);
    const elsewhere = `${folder}/elsewhere`;
    Deno.mkdirSync(elsewhere);
    await Deno.rename(target, `${elsewhere}/target.ini`);
    Deno.removeSync(link);
    Deno.symlinkSync(`${elsewhere}/target.ini`, link);
    await chown(elsewhere, NOBODY);
    assertMatch(await errorOf(link), /^in folder .*elsewhere owned by uid 65534/);
  });
});

Deno.test("readTrustedFile() tells nothing there from a link to nothing", async () => {
  await inFolder(async (folder) => {
    assertEquals(await readTrustedFile(`${folder}/x.ini`, true), { kind: "absent", reason: "not there" });
    assertEquals((await readTrustedFile(`${folder}/no/x.ini`, true)).kind, "absent");
    Deno.symlinkSync(`${folder}/nothing`, `${folder}/link`);
    assertEquals(await errorOf(`${folder}/link`), "a link to a file that is not there");
  });
});

Deno.test("readTrustedFile() never waits for a pipe and never reads a folder or a huge file", async () => {
  await inFolder(async (folder) => {
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    assertEquals(await errorOf(`${folder}/pipe`), "not a regular file");
    assertEquals(await errorOf(folder), "not a regular file");
    const limit = 1 << 20;
    assertEquals((await readTrustedFile(write(`${folder}/big`, "x".repeat(limit)), false)).kind, "ok");
    assertMatch(
      await errorOf(write(`${folder}/huge`, "x".repeat(limit + 1)), false),
      /^larger than 1048576 bytes/,
    );
  });
});

Deno.test("readTrustedFile() keeps unreadable bytes visible", async () => {
  await inFolder(async (folder) => {
    const path = write(`${folder}/x.ini`, new Uint8Array([0x61, 0xff, 0x62]));
    assertEquals(await readTrustedFile(path, false), { kind: "ok", value: "a\ufffdb" });
  });
});
