import { assert, assertEquals, assertMatch } from "@std/assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parse } from "npm:yaml@2.9.1";
import manifest from "../deno.json" with { type: "json" };
import { PROJECT } from "./project_files.ts";
import { TARGETS } from "./targets.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly container?: { readonly image: string; readonly options: string };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = join(PROJECT, ".github", "workflows");
const NAMES = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort();

/** What a runner of GitHub or the image of Debian has, beside what is in the repository. */
const ON_THE_RUNNER = ["apt-get", "diff", "gh", "git"];

function textOf(name: string): string {
  return Deno.readTextFileSync(join(FOLDER, name));
}

function workflowOf(name: string): Workflow {
  return parse(textOf(name), { strict: true, uniqueKeys: true }) as Workflow;
}

function stepsOf(name: string): readonly Step[] {
  return Object.values(workflowOf(name).jobs).flatMap(({ steps }) => steps ?? []);
}

for (const name of NAMES) {
  Deno.test(`${name} pins every action by commit, and says which version that is`, () => {
    const used = [...textOf(name).matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
    assert(used.length > 0);
    for (const action of used) {
      if (action.startsWith("./")) assert(existsSync(join(PROJECT, action)), action);
      else assertMatch(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    // Where the text above is not what the runner reads, there is more to pin than was looked at.
    const { jobs } = workflowOf(name);
    const read = [...Object.values(jobs), ...stepsOf(name)].flatMap(({ uses }) => uses ?? []);
    assertEquals(read.sort(), used.map((action) => action.split(" #")[0] ?? "").sort());
  });

  Deno.test(`${name} may write nothing that a job does not name`, () => {
    const { permissions, jobs } = workflowOf(name);
    assertEquals(Object.values(permissions).filter((right) => right !== "read"), []);
    for (const [job, { permissions: own = {} }] of Object.entries(jobs)) {
      const writes = Object.entries(own).filter(([, right]) => right === "write").map(([what]) => what);
      assertEquals(writes, job === "release" ? ["contents", "id-token", "attestations"] : [], job);
    }
    for (const { uses, with: options } of stepsOf(name)) {
      if (uses?.startsWith("actions/checkout@")) assertEquals(options?.["persist-credentials"], false);
    }
  });

  Deno.test(`${name} runs what is there`, () => {
    for (const line of stepsOf(name).flatMap(({ run }) => run?.trim().split("\n") ?? [])) {
      const [program = "", ...words] = line.replaceAll("../once-more/", "").split(" ");
      assert(ON_THE_RUNNER.includes(program) || existsSync(join(PROJECT, program)), line);
      if (program !== "scripts/deno") continue;
      const task = words[0] === "task" ? words.find((word) => word in manifest.tasks) : undefined;
      const script = words.find((word) => word.endsWith(".ts"));
      assert(task !== undefined || (script !== undefined && existsSync(join(PROJECT, script))), line);
    }
  });
}

Deno.test("ci.yml tests on Debian 12, in a repository, and may make worlds", () => {
  const { container, steps = [] } = workflowOf("ci.yml").jobs["test"] ?? {};
  assertEquals(container, { image: "debian:12", options: "--privileged --cgroupns=host" });
  const [installs, checksOut, runs] = steps;
  assertMatch(installs?.run ?? "", /^apt-get .* install .*\bgit ca-certificates nodejs npm$/m);
  assertMatch(checksOut?.uses ?? "", /^actions\/checkout@/);
  assertEquals(runs?.run, ".ci/run");
});

Deno.test("release.yml is for tags of versions, after the tests, with Deno's own runtime", () => {
  const { on, jobs } = workflowOf("release.yml");
  assertEquals(on, { push: { tags: ["v*"] } });
  assertEquals(jobs["test"]?.uses, "./.github/workflows/ci.yml");
  assert("workflow_call" in workflowOf("ci.yml").on);
  const lines = stepsOf("release.yml").flatMap(({ run }) => run ?? []);
  assert(lines.includes("scripts/deno task compile --official"));
});

Deno.test("release.yml attests and releases all that is built", () => {
  const built = [...TARGETS.map(({ arch }) => `loadweir-${arch}`), "loadweir.cdx.json", "SHA256SUMS"];
  const paths = built.map((name) => `dist/${name}`);
  const steps = stepsOf("release.yml");
  const attested = steps.find(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"));
  assertEquals(String(attested?.with?.["subject-path"]).trim().split("\n"), paths);
  const released = steps.find(({ run }) => run?.startsWith("gh release create"))?.run ?? "";
  assertEquals(released.split(/\s+/).filter((word) => word.startsWith("dist/")), paths);
});
