import { assertEquals } from "@std/assert";
import { type CheckResult, fine, type HostCheck } from "../../mod/probe/check.ts";
import { systemClock } from "../clock.ts";
import { createChecks } from "./checks.ts";

Deno.test("createChecks() gives what was seen by the deadline, however long one check takes", async () => {
  const checks = createChecks([], {
    clock: systemClock,
    version: "1.0.0",
    tellChange: () => {},
    host: {
      async look(wanted, seen): Promise<ReadonlyMap<HostCheck, CheckResult>> {
        for (const name of wanted) if (name !== "database") seen?.(name, fine("well"));
        return await new Promise(() => {});
      },
      close(): void {},
    },
  });
  const wanted = (["nginx", "database"] as const).map((id) => ({ id, action: "drain" as const }));
  const seen = await checks.look(wanted, 20);
  assertEquals([...seen], [["nginx", fine("well")]]);
});
