import { assertEquals } from "@std/assert";
import { containerFinding, containerSigns } from "./container.ts";
import { aProcess, aTable } from "./testing/process.ts";

const CONTAINER = { visibleThreads: 40, totalTasks: 101, kthreaddVisible: false, initVisible: true };

Deno.test("containerFinding() recognises the load of a host around us", () => {
  assertEquals(containerFinding(CONTAINER), { kind: "host-load", visibleThreads: 40, totalTasks: 101 });
});

for (
  const { name, signs } of [
    { name: "as many tasks as the margin allows", signs: { ...CONTAINER, totalTasks: 100 } },
    { name: "a container with lxcfs, which counts its own tasks", signs: { ...CONTAINER, totalTasks: 40 } },
    { name: "a kernel that counts no tasks", signs: { ...CONTAINER, totalTasks: 0 } },
    { name: "the host itself", signs: { ...CONTAINER, kthreaddVisible: true } },
    { name: "a table that hides the processes of others", signs: { ...CONTAINER, initVisible: false } },
  ]
) {
  Deno.test(`containerFinding() says nothing of ${name}`, () =>
    assertEquals(containerFinding(signs), undefined));
}

Deno.test("containerSigns() counts threads and looks for pid 1 and kthreadd", () => {
  const host = [
    aProcess(1, "systemd", { ppid: 0, threadCount: 1 }),
    aProcess(2, "kthreadd", { ppid: 0, isKernelThread: true }),
    aProcess(900, "mariadbd", { threadCount: 38 }),
  ];
  assertEquals(containerSigns(aTable(host), 41), {
    visibleThreads: 40,
    totalTasks: 41,
    kthreaddVisible: true,
    initVisible: true,
  });
});

Deno.test("containerSigns() takes a pid 2 with a program for no kthreadd", () => {
  const signs = containerSigns(aTable([aProcess(2, "kthreadd")]), 500);
  assertEquals([signs?.kthreaddVisible, signs?.initVisible], [false, false]);
});

Deno.test("containerSigns() has none from candidates alone", () => {
  assertEquals(
    containerSigns(aTable([aProcess(1, "systemd")], { coverage: "candidates" }), 500),
    undefined,
  );
});
