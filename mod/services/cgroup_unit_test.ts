import { assertEquals } from "@std/assert";
import { maybeUnitOf } from "./cgroup_unit.ts";

function v2(path: string): ReturnType<typeof maybeUnitOf> {
  return maybeUnitOf({ v2Path: path, v1Paths: {} });
}

Deno.test("maybeUnitOf() finds the unit of a service, an instance, a session", () => {
  assertEquals(v2("/system.slice/nginx.service"), "nginx.service");
  assertEquals(v2("/system.slice/system-php\\x2dfpm.slice/php-fpm@www.service"), "php-fpm@www.service");
  assertEquals(v2("/user.slice/user-0.slice/session-3.scope"), "session-3.scope");
  assertEquals(v2("/system.slice/nginx.service (deleted)"), "nginx.service");
});

Deno.test("maybeUnitOf() stops where systemd delegates: what is below may call itself anything", () => {
  assertEquals(v2("/system.slice/containerd.service/pod7/nginx.service"), "containerd.service");
});

Deno.test("maybeUnitOf() prefers systemd's own hierarchy of cgroup v1", () => {
  assertEquals(
    maybeUnitOf({
      v2Path: "/",
      v1Paths: { "name=systemd": "/system.slice/nginx.service", cpu: "/x.service" },
    }),
    "nginx.service",
  );
});

Deno.test("maybeUnitOf() finds none under another init system", () => {
  assertEquals(v2("/"), undefined);
  assertEquals(maybeUnitOf({ v2Path: undefined, v1Paths: { cpu: "/nginx.service" } }), undefined);
});
