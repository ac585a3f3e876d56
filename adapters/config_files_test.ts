import { assertEquals } from "@std/assert";
import { renderProblem } from "../mod/config/report.ts";
import { defaultConfig } from "../mod/config/schema.ts";
import { type ConfigFileOptions, readConfig, readConfigFiles } from "./config_files.ts";

/** Root is needed to give files away; on a build host a test that cannot run is a failure. */
const needsRoot = { ignore: Deno.uid() !== 0 && Deno.env.get("CI") !== "true" };

/** Runs a test with the paths of a host, both files missing at first, that is removed afterwards. */
async function onHost(
  test: (paths: { defaultConfigPath: string; barracudaPath: string }, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(
      { defaultConfigPath: `${folder}/loadweir.ini`, barracudaPath: `${folder}/.barracuda.cnf` },
      folder,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs a command as root that may read only what any user may. */
const WITHOUT_ACCESS_OF_ROOT = [
  "setpriv",
  "--bounding-set=-dac_override,-dac_read_search",
  "--inh-caps=-dac_override,-dac_read_search",
];

/** What a process of its own reads, with permissions of its own. */
async function readElsewhere(
  options: ConfigFileOptions,
  { prefix = [], permissions, input = "" }: {
    readonly prefix?: readonly string[];
    readonly permissions: readonly string[];
    readonly input?: string;
  },
): Promise<unknown> {
  const script = await Deno.makeTempFile({ suffix: ".ts" });
  const imports = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  Deno.writeTextFileSync(
    script,
    `import { readConfig } from ${imports("./config_files.ts")};
import { renderProblem } from ${imports("../mod/config/report.ts")};
const { unusable, profile, problems } = await readConfig(${JSON.stringify(options)});
console.log(JSON.stringify({ unusable, profile, problems: problems.map(renderProblem) }));
`,
  );
  const config = new URL("../deno.json", import.meta.url).pathname;
  const flags = [
    "--no-check",
    "--no-lock",
    "--no-prompt",
    "--config",
    config,
    "--allow-sys=uid",
    ...permissions,
  ];
  const [program = "", ...args] = [...prefix, Deno.execPath(), "run", ...flags, script];
  try {
    const child = new Deno.Command(program, { args, stdin: "piped", stdout: "piped", stderr: "piped" })
      .spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    const { stdout, stderr } = await child.output();
    const text = new TextDecoder().decode(stdout);
    if (text === "") throw new Error(new TextDecoder().decode(stderr));
    return JSON.parse(text);
  } finally {
    await Deno.remove(script);
  }
}

async function sentences(options: ConfigFileOptions): Promise<readonly string[]> {
  return (await readConfig(options)).problems.map(renderProblem);
}

Deno.test("readConfig() gives all defaults on a host without any file", async () => {
  await onHost(async (paths) => {
    const { config, problems, unusable, profile } = await readConfig(paths);
    assertEquals({ config, problems, unusable, profile }, {
      config: defaultConfig(),
      problems: [],
      unusable: false,
      profile: "generic",
    });
  });
});

Deno.test("readConfig() calls a named file that is not there an error", async () => {
  await onHost(async (paths, folder) => {
    const options = { ...paths, configPath: `${folder}/named.ini` };
    assertEquals((await readConfig(options)).unusable, true);
    assertEquals(await sentences(options), [`Cannot use "${folder}/named.ini": not there; ignored`]);
  });
});

Deno.test("readConfig() takes the named file instead of the usual one", async () => {
  await onHost(async (paths, folder) => {
    Deno.writeTextFileSync(paths.defaultConfigPath, "[ladder]\nmax = 7\n");
    Deno.writeTextFileSync(`${folder}/named.ini`, "[ladder]\nmax = 5\n");
    assertEquals((await readConfig(paths)).config.maxRatio, 7);
    assertEquals((await readConfig({ ...paths, configPath: `${folder}/named.ini` })).config.maxRatio, 5);
  });
});

Deno.test("readConfigFiles() reads BOA's settings as the profile asks", async () => {
  await onHost(async (paths) => {
    const rows: readonly [string, boolean, "boa" | "generic", boolean, number][] = [
      ["auto", false, "generic", false, 0],
      ["generic", false, "generic", false, 0],
      ["boa", false, "boa", false, 1],
      ["auto", true, "boa", true, 0],
      ["generic", true, "generic", false, 0],
      ["boa", true, "boa", true, 0],
    ];
    for (const [asked, isThere, profile, isRead, problemCount] of rows) {
      Deno.writeTextFileSync(paths.defaultConfigPath, `[agent]\nprofile = ${asked}\n`);
      if (isThere) Deno.writeTextFileSync(paths.barracudaPath, "_CPU_MAX_RATIO=7\n");
      const files = await readConfigFiles(paths);
      assertEquals(
        [files.profile, files.sources.barracuda !== undefined, files.problems.length, files.unusable],
        [profile, isRead, problemCount, false],
        `${asked} ${isThere}`,
      );
    }
  });
});

Deno.test("readConfigFiles() says that a BOA host should have BOA's settings", async () => {
  await onHost(async (paths) => {
    assertEquals(await sentences({ ...paths, overrides: ["agent.profile=boa"] }), [
      `Cannot use "${paths.barracudaPath}": not there, expected because of [agent] profile = boa; ignored`,
    ]);
  });
});

Deno.test("readConfig() lays BOA's settings and overrides over loadweir.ini", async () => {
  await onHost(async (paths) => {
    Deno.writeTextFileSync(paths.defaultConfigPath, "[ladder]\nspider = 3\nmax = 6\n");
    Deno.writeTextFileSync(paths.barracudaPath, "_CPU_MAX_RATIO=7\n");
    const { config, problems } = await readConfig({ ...paths, overrides: ["ladder.task=4"] });
    assertEquals([config.spiderRatio, config.maxRatio, config.taskRatio, problems], [3, 7, 4, []]);
  });
});

Deno.test(
  "readConfig() refuses files that others may write, and goes on with defaults",
  needsRoot,
  async () => {
    await onHost(async (paths) => {
      Deno.writeTextFileSync(paths.defaultConfigPath, "[ladder]\nmax = 2.5\n");
      Deno.writeTextFileSync(paths.barracudaPath, "_CPU_MAX_RATIO=2.5\n");
      Deno.chownSync(paths.defaultConfigPath, 65534, 65534);
      Deno.chmodSync(paths.barracudaPath, 0o666);
      const { config, unusable, profile } = await readConfig({ ...paths, asRoot: true });
      assertEquals([config, unusable, profile], [defaultConfig(), true, "boa"]);
      assertEquals(await sentences({ ...paths, asRoot: true }), [
        `Cannot use "${paths.defaultConfigPath}": owned by uid 65534, expected root ` +
        `(run: chown root: ${paths.defaultConfigPath}); ignored`,
        `Cannot use "${paths.barracudaPath}": mode is 666, so that others may write it ` +
        `(run: chmod go-w ${paths.barracudaPath}); ignored`,
      ]);
      assertEquals((await readConfig({ ...paths, asRoot: false })).config.maxRatio, 2.5);
    });
  },
);

Deno.test("readConfig() advises somebody who may not see whether this is a BOA host", needsRoot, async () => {
  await onHost(async (paths, folder) => {
    const closed = `${folder}/root`;
    Deno.mkdirSync(closed, { mode: 0o700 });
    Deno.chownSync(closed, 65534, 65534);
    const options = { ...paths, barracudaPath: `${closed}/.barracuda.cnf`, asRoot: false };
    assertEquals(
      await readElsewhere(options, { prefix: WITHOUT_ACCESS_OF_ROOT, permissions: ["--allow-read"] }),
      {
        unusable: false,
        profile: "generic",
        problems: [
          `Check "${closed}/.barracuda.cnf": permission denied, readable for root only; it counts on a ` +
          `BOA host ` +
          "(elsewhere set [agent] profile = generic); ignored",
        ],
      },
    );
  });
});

Deno.test("readConfig() says how to check a file that the sandbox does not let it read", async () => {
  await onHost(async (paths, folder) => {
    const path = `${folder}/named.ini`;
    Deno.writeTextFileSync(path, "[ladder]\nmax = 5\n");
    const permissions = [`--allow-read=${paths.defaultConfigPath},${paths.barracudaPath}`];
    const refused = await readElsewhere({ ...paths, configPath: path }, { permissions });
    assertEquals(refused, {
      unusable: true,
      profile: "generic",
      problems: [
        `Cannot use "${path}": outside of what this program may read (put it into /etc/loadweir, or use ` +
        `--config - < ${path}); ` +
        "ignored",
      ],
    });
    const piped = await readElsewhere({ ...paths, configPath: "-" }, {
      permissions,
      input: "[ladder]\nmx = 5\n",
    });
    assertEquals(piped, {
      unusable: false,
      profile: "generic",
      problems: ['Cannot use "standard input" line 2: [ladder] mx: unknown key, did you mean max?; ignored'],
    });
  });
});
