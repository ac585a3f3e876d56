import { assertEquals } from "@std/assert";
import { type LoadView, whyHostLoad } from "./host_load.ts";

const CONTAINER = { visibleThreads: 40, totalTasks: 812, kthreaddVisible: false, initVisible: true };
const MACHINE = { ...CONTAINER, kthreaddVisible: true };

const SYSINFO = "and sysinfo(2) tells the load of the whole machine";

const CASES: readonly (readonly [string, LoadView, string | undefined])[] = [
  [
    "with a proc root, by the tasks that the load counts",
    { hasProcRoot: true, signs: CONTAINER, containerKind: undefined },
    "the kernel counts 812 tasks, and only 40 threads are in this container",
  ],
  [
    "not where lxcfs made the load average",
    { hasProcRoot: true, signs: { ...CONTAINER, totalTasks: 40 }, containerKind: "lxc" },
    undefined,
  ],
  ["not without signs", { hasProcRoot: true, signs: undefined, containerKind: "lxc" }, undefined],
  [
    "without a proc root, by a mark",
    { hasProcRoot: false, signs: undefined, containerKind: "lxc" },
    `this is a container (lxc), ${SYSINFO}`,
  ],
  [
    "without a proc root, by the lack of kernel threads",
    { hasProcRoot: false, signs: CONTAINER, containerKind: undefined },
    `no kernel thread is visible, as in a container, ${SYSINFO}`,
  ],
  [
    "not where only our own processes are visible",
    { hasProcRoot: false, signs: { ...CONTAINER, initVisible: false }, containerKind: undefined },
    undefined,
  ],
  ["not on a machine", { hasProcRoot: false, signs: MACHINE, containerKind: undefined }, undefined],
  [
    "not on a machine made from the image of a container",
    { hasProcRoot: false, signs: MACHINE, containerKind: "docker" },
    undefined,
  ],
  [
    "not where nothing can be seen",
    { hasProcRoot: false, signs: undefined, containerKind: undefined },
    undefined,
  ],
];
for (const [name, view, expected] of CASES) {
  Deno.test(`whyHostLoad() finds the load of a host around us ${name}`, () => {
    assertEquals(whyHostLoad(view), expected);
  });
}
