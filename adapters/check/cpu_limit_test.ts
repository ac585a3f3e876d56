import { assertEquals } from "@std/assert";
import type { CpuLimit } from "../../mod/check/findings.ts";
import { maybeCpuLimit } from "./cpu_limit.ts";
import { makeTempHost } from "./temp_host.ts";

const CGROUPS = "/proc/self/root/sys/fs/cgroup";

const CASES: readonly (readonly [string, Readonly<Record<string, string>>, CpuLimit | undefined])[] = [
  [
    "a container, which sees its limit at the root",
    { "/proc/1/cgroup": "0::/\n", [`${CGROUPS}/cpu.max`]: "150000 100000\n" },
    { cpus: 1.5, cgroup: "/" },
  ],
  [
    "the lowest one on the way down to process 1",
    {
      "/proc/1/cgroup": "0::/lxc/web/init.scope\n",
      [`${CGROUPS}/lxc/cpu.max`]: "800000 100000\n",
      [`${CGROUPS}/lxc/web/cpu.max`]: "200000 100000\n",
      [`${CGROUPS}/lxc/web/init.scope/cpu.max`]: "max 100000\n",
    },
    { cpus: 2, cgroup: "/lxc/web" },
  ],
  [
    "cgroup v1, whichever way the controller is mounted",
    {
      "/proc/1/cgroup": "4:cpu,cpuacct:/docker/0a\n0::/\n",
      [`${CGROUPS}/cpu,cpuacct/docker/0a/cpu.cfs_quota_us`]: "50000\n",
      [`${CGROUPS}/cpu,cpuacct/docker/0a/cpu.cfs_period_us`]: "100000\n",
    },
    { cpus: 0.5, cgroup: "/docker/0a" },
  ],
  [
    "none where there is no limit",
    {
      "/proc/1/cgroup": "2:cpu:/\n0::/\n",
      [`${CGROUPS}/cpu.max`]: "max 100000\n",
      [`${CGROUPS}/cpu/cpu.cfs_quota_us`]: "-1\n",
      [`${CGROUPS}/cpu/cpu.cfs_period_us`]: "100000\n",
    },
    undefined,
  ],
  [
    "the root's alone where process 1 stands outside of what can be seen",
    {
      "/proc/1/cgroup": "0::/../other\n",
      [`${CGROUPS}/cpu.max`]: "100000 100000\n",
      "/proc/self/root/sys/fs/other/cpu.max": "50000 100000\n",
    },
    { cpus: 1, cgroup: "/" },
  ],
  [
    "none where a file is damaged",
    { "/proc/1/cgroup": "nonsense", [`${CGROUPS}/cpu.max`]: "nonsense" },
    undefined,
  ],
  ["none where nothing can be read", {}, undefined],
];
for (const [name, files, expected] of CASES) {
  Deno.test(`maybeCpuLimit() finds ${name}`, async () => {
    await using host = await makeTempHost(files);
    assertEquals(maybeCpuLimit("/proc", host.files), expected);
  });
}
