import { assertEquals, assertMatch } from "@std/assert";
import { BLOCK_CONF, BLOCK_MARK } from "../../mod/nginx/block_conf.ts";
import type { CrawlerBlockPaths } from "../../mod/nginx/crawler_block.ts";
import { describeState, isOurs, maybeRenameProblem, readCrawlerBlock, whyDistrusted } from "./block_files.ts";

const NOBODY = 65534;

/** Root is needed to give files away; on a build host a test that cannot run is a failure. */
const needsRoot = { ignore: Deno.uid() !== 0 && Deno.env.get("CI") !== "true" };

/** Runs a test in a folder that is removed afterwards. */
function inFolder(test: (paths: CrawlerBlockPaths, folder: string) => void): void {
  const folder = Deno.makeTempDirSync({ prefix: "loadweir-block-" });
  Deno.chmodSync(folder, 0o755);
  try {
    test({ on: `${folder}/nginx_high_load.conf`, off: `${folder}/nginx_high_load_off.conf` }, folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("readCrawlerBlock() says which of the files is there", () => {
  inFolder((paths) => {
    const read = (): string => readCrawlerBlock("generic", paths);
    assertEquals(read(), "absent");
    Deno.writeTextFileSync(paths.off, "");
    assertEquals(read(), "off");
    Deno.writeTextFileSync(paths.on, "");
    assertEquals(read(), "both");
    Deno.removeSync(paths.off);
    assertEquals(read(), "on");
  });
});

Deno.test("readCrawlerBlock() counts a link to nothing, which nginx would trip over", () => {
  inFolder((paths, folder) => {
    Deno.symlinkSync(`${folder}/nothing`, paths.on);
    assertEquals(readCrawlerBlock("generic", paths), "on");
  });
});

Deno.test("readCrawlerBlock() says when it cannot tell", () => {
  inFolder((_, folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    assertEquals(
      readCrawlerBlock("generic", { on: `${folder}/file/on`, off: `${folder}/file/off` }),
      "unreadable",
    );
  });
});

Deno.test("isOurs() goes by the mark in the header, and knows that BOA's has no other master", () => {
  inFolder((paths) => {
    assertEquals([isOurs("generic", paths), isOurs("boa", paths)], [false, true]);
    const rows: readonly (readonly [string, boolean])[] = [
      [BLOCK_CONF, true],
      [`# Ansible managed\r\n${BLOCK_MARK}\r\n`, true],
      [BLOCK_CONF.replace(`${BLOCK_MARK}\n`, ""), false],
      [`${BLOCK_MARK} no more`, false],
      [`${"#\n".repeat(4_096)}${BLOCK_MARK}\n`, false],
      ["", false],
    ];
    for (const [text, isMarked] of rows) {
      Deno.writeTextFileSync(paths.on, text);
      assertEquals(isOurs("generic", paths), isMarked, text.slice(0, 80));
    }
  });
});

Deno.test("isOurs() follows no link and waits for no pipe", async () => {
  const folder = await Deno.makeTempDir();
  const paths = { on: `${folder}/on`, off: `${folder}/off` };
  await Deno.writeTextFile(`${folder}/marked`, BLOCK_CONF);
  await Deno.symlink(`${folder}/marked`, paths.on);
  await new Deno.Command("mkfifo", { args: [paths.off] }).output();
  assertEquals(isOurs("generic", paths), false);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("whyDistrusted() takes a file of root's in a folder of root's", needsRoot, () => {
  inFolder((paths) => {
    Deno.writeTextFileSync(paths.off, "", { mode: 0o644 });
    assertEquals(whyDistrusted(paths.off, paths), undefined);
  });
});

Deno.test("whyDistrusted() refuses links, folders and pipes in place of the file", () => {
  inFolder((paths, folder) => {
    Deno.symlinkSync("/etc/passwd", paths.off);
    assertEquals(whyDistrusted(paths.off, paths), `${paths.off} is a link, expected a file`);
    Deno.mkdirSync(paths.on);
    assertEquals(whyDistrusted(paths.on, paths), `${paths.on} is something else, expected a file`);
    Deno.symlinkSync(folder, `${folder}/link`);
    const linked = { on: `${folder}/link/on`, off: `${folder}/link/off` };
    assertEquals(whyDistrusted(linked.on, linked), `${folder}/link is a link, expected a folder`);
  });
});

Deno.test("whyDistrusted() refuses what others than root may write, with the cure", needsRoot, () => {
  inFolder((paths, folder) => {
    Deno.writeTextFileSync(paths.off, "", { mode: 0o644 });
    for (const place of [folder, paths.off]) {
      for (const mode of [0o775, 0o757, 0o1777]) {
        Deno.chmodSync(place, mode);
        assertMatch(whyDistrusted(paths.off, paths) ?? "", /has mode 7\d\d, .* \(run: chmod go-w \//);
      }
      Deno.chmodSync(place, 0o755);
      Deno.chownSync(place, NOBODY, 0);
      assertEquals(
        whyDistrusted(paths.off, paths),
        `${place} is owned by uid ${NOBODY}, expected root (run: chown root: ${place})`,
      );
      Deno.chownSync(place, 0, 0);
    }
    assertEquals(whyDistrusted(paths.off, paths), undefined);
  });
});

Deno.test("describeState() makes the folder too where there is neither file", () => {
  inFolder((paths, folder) => {
    assertEquals(
      describeState("absent", paths),
      `there is neither ${paths.off} nor ${paths.on}, expected one of them ` +
        `(run: install -d ${folder} && loadweir print nginx-block > ${paths.off})`,
    );
  });
});

Deno.test("maybeRenameProblem() renames, or says why not", () => {
  inFolder((paths) => {
    Deno.writeTextFileSync(paths.off, "x");
    assertEquals(maybeRenameProblem(paths.off, paths.on), undefined);
    assertEquals(Deno.readTextFileSync(paths.on), "x");
    assertMatch(
      maybeRenameProblem(paths.off, paths.on) ?? "",
      /^Cannot rename .*off\.conf to .*: No such file/,
    );
  });
});
