import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "node:path";
import { testNeeding } from "../test/needs.ts";
import { npmCacheOf } from "./bundle.ts";
import { PROJECT } from "./project_files.ts";
import { runToolOk } from "./run_tool.ts";
import { runtimeCacheDir } from "./runtime.ts";
import { TARGETS } from "./targets.ts";

/** A type check, a bundle and two binaries, on a machine that has much else to do. */
const BUILD_DEADLINE_MS = 10 * 60_000;

/** How one of two builds is unlike the other. */
interface Surroundings {
  /** Folders below the one of the build, made when missing. */
  readonly project: string;
  readonly caches: string;
  readonly temporary: string;
  readonly umask: string;
  /** When every file was last written, as `touch --date` takes it. */
  readonly written: string;
  readonly env: Readonly<Record<string, string>>;
}

const HERE: Surroundings = {
  project: "a",
  caches: "caches",
  temporary: "tmp",
  umask: "022",
  written: "2026-01-01 00:00:00 UTC",
  env: { TZ: "UTC", LANG: "C" },
};

const ELSEWHERE: Surroundings = {
  project: "a folder/of a longer name/than the other one",
  caches: "somewhere/else/caches",
  temporary: "another/place for/temporary files",
  umask: "077",
  written: "2001-02-03 04:05:06 UTC",
  env: { TZ: "Pacific/Auckland", LANG: "C.UTF-8", USER: "somebody", LOADWEIR: "1" },
};

/**
 * Copies the project as git knows it, with what is not committed yet, and builds it in surroundings of its own.
 *
 * @returns The lines of its `SHA256SUMS`
 */
async function builtIn(surroundings: Surroundings): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-reproducible-" });
  try {
    const at = (name: string): string => join(folder, name);
    const script = String.raw`
set -euo pipefail
umask "$umask"
mkdir -p "$project" "$TMPDIR" "$DENO_DIR" "$XDG_CACHE_HOME/loadweir"
# Root builds here what somebody else may have checked out.
git -c safe.directory="$from" -C "$from" ls-files -z --cached --others --exclude-standard | while IFS= read -rd '' file; do
  if [ -e "$from/$file" ]; then printf '%s\0' "$file"; fi
done | tar -C "$from" --null -T - -c | tar -C "$project" --no-same-permissions -x
find "$project" -exec touch --date "$written" {} +
# What was downloaded is taken from where it is: packages, the bundler, runtimes.
cp -r "$downloads/npm" "$downloads/dl" "$DENO_DIR/"
find "$runtimes" -maxdepth 1 -name 'denort-*' -exec cp {} "$XDG_CACHE_HOME/loadweir/" \;
cd "$project"
"$deno" run --quiet --allow-all scripts/compile.ts
cat dist/SHA256SUMS
sha256sum --check --quiet <(sed 's,  ,  dist/,' dist/SHA256SUMS)
`;
    return await runToolOk("/bin/bash", {
      args: ["-c", script],
      cwd: folder,
      env: {
        PATH: Deno.env.get("PATH") ?? "",
        HOME: folder,
        ...surroundings.env,
        from: PROJECT,
        project: at(surroundings.project),
        umask: surroundings.umask,
        written: surroundings.written,
        TMPDIR: at(surroundings.temporary),
        DENO_DIR: at(join(surroundings.caches, "deno")),
        XDG_CACHE_HOME: at(join(surroundings.caches, "xdg")),
        downloads: dirname(await npmCacheOf(PROJECT)),
        runtimes: runtimeCacheDir((name) => Deno.env.get(name), PROJECT),
        deno: Deno.execPath(),
      },
      deadlineMs: BUILD_DEADLINE_MS,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

testNeeding(
  ["/usr/bin/git"],
  "build() gives the same bytes in another folder, with other caches, times and rights of files",
  async () => {
    const first = await builtIn(HERE);
    assertEquals(await builtIn(ELSEWHERE), first);
    for (const { arch } of TARGETS) assert(first.includes(`  loadweir-${arch}\n`), first);
  },
);
