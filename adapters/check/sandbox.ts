/** Compares what this process may do with the declared list. */

import type { SandboxFinding } from "../../mod/check/findings.ts";
import {
  type Permission,
  PERMISSION_KINDS,
  type PermissionKind,
  PERMISSIONS,
  permittedValues,
} from "../../mod/permissions.ts";

/** Asks the runtime, which answers without looking at the host. */
export function lookAtSandbox(): SandboxFinding {
  const kinds = [...PERMISSION_KINDS, "ffi"] as const;
  return {
    listed: Object.fromEntries(
      PERMISSION_KINDS.map((kind) => [kind, permittedValues(kind).length]),
    ) as Record<
      PermissionKind,
      number
    >,
    whole: kinds.filter((name) => isGranted({ name })),
    missing: PERMISSIONS.filter((permission) => !isGranted(descriptorOf(permission))),
    compiled: Deno.build.standalone,
  };
}

function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(descriptor).state === "granted";
}

function descriptorOf({ kind, value }: Permission): Deno.PermissionDescriptor {
  switch (kind) {
    case "read":
    case "write":
      return { name: kind, path: value };
    case "run":
      return { name: kind, command: value };
    case "net":
      // The runtime grants networks, and answers for addresses: the first one of the network.
      return { name: kind, host: value.replace(/\/\d+/, "") };
    case "env":
      return { name: kind, variable: value };
    case "sys":
      return { name: kind, kind: value as NonNullable<Deno.SysPermissionDescriptor["kind"]> };
  }
}
