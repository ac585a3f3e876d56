import { assertEquals, assertMatch } from "@std/assert";
import { NO_CLAIMS, type PingClaims } from "../../mod/drain/claims.ts";
import type { CommandResult, RunCommand } from "../command.ts";
import { systemClock } from "../clock.ts";
import type { ClaimsFile } from "./claims_file.ts";
import { openSysctl, readSwitches } from "./sysctl_pings.ts";

const V4 = "net.ipv4.icmp_echo_ignore_all";
const V6 = "net.ipv6.icmp.echo_ignore_all";
const KERNEL_CALLS = { kind: "kernel-calls", name: "kernel-calls" } as const;

/** A kernel with these switches, as sysctl(8) shows it; undefined has none. */
function kernel(
  switches: Record<string, number | undefined>,
  asked: string[] = [],
  ignoresWrites = false,
): RunCommand {
  return (program, args): Promise<CommandResult> => {
    asked.push([program, ...args].join(" "));
    let [stdout, stderr] = ["", ""];
    for (const word of args.filter((arg) => arg !== "-w")) {
      const [name = "", value] = word.split("=");
      if (switches[name] === undefined) {
        stderr += `sysctl: cannot stat /proc/sys/${name.replaceAll(".", "/")}: No such file or directory\n`;
        continue;
      }
      if (value !== undefined && !ignoresWrites) switches[name] = Number(value);
      stdout += `${name} = ${value ?? switches[name]}\n`;
    }
    return Promise.resolve({ code: stderr === "" ? 0 : 1, stdout, stderr, timedOut: false, tookMs: 1 });
  };
}

function open(
  run: RunCommand,
  others: PingClaims = NO_CLAIMS,
): { way: ReturnType<typeof openSysctl>; claims: ClaimsFile } {
  let own = NO_CLAIMS;
  const claims: ClaimsFile = {
    owner: "agent",
    own: () => own,
    others: () => others,
    write(claimed): { kind: "ok" } {
      own = claimed;
      return { kind: "ok" };
    },
  };
  const lock = (): Promise<{ kind: "taken"; close: () => void }> =>
    Promise.resolve({ kind: "taken", close: () => {} });
  return { way: openSysctl({ run, source: KERNEL_CALLS, clock: systemClock, claims, lock }), claims };
}

Deno.test("openSysctl() silences IPv4 where the kernel has no switch for IPv6, and says so", async () => {
  const switches = { [V4]: 0, [V6]: undefined };
  const { way, claims } = open(kernel(switches));
  assertEquals(await way.silence(), {
    kind: "ok",
    changed: true,
    note: `IPv6 is as it was: this kernel has no ${V6}`,
    foundSilent: false,
  });
  assertEquals([switches[V4], claims.own().sysctl], [1, ["ipv4"]]);
  assertEquals((await way.answer()).kind, "ok");
  assertEquals([switches[V4], claims.own().sysctl], [0, []]);
});

Deno.test("openSysctl() claims nothing that it could not set", async () => {
  const { way, claims } = open(kernel({ [V4]: 0, [V6]: 1 }, [], true));
  const outcome = await way.silence();
  assertMatch(
    outcome.kind === "failed" ? outcome.error : "",
    new RegExp(`^${V4} is not 1 after it was set$`),
  );
  assertEquals(claims.own(), NO_CLAIMS);
});

Deno.test("openSysctl() leaves a family that a stranger silenced, and shares one that another of us did", async () => {
  const stranger = { [V4]: 1, [V6]: 0 };
  const first = open(kernel(stranger));
  assertEquals((await first.way.silence()).kind, "ok");
  assertEquals([stranger, first.claims.own().sysctl], [{ [V4]: 1, [V6]: 1 }, ["ipv6"]]);
  await first.way.answer();
  assertEquals(stranger, { [V4]: 1, [V6]: 0 });
  const shared = { [V4]: 1, [V6]: 1 };
  const second = open(kernel(shared), { sysctl: ["ipv4", "ipv6"], ufw: false });
  await second.way.silence();
  assertEquals(second.claims.own().sysctl, ["ipv4", "ipv6"]);
  await second.way.answer();
  assertEquals([shared, second.claims.own().sysctl], [{ [V4]: 1, [V6]: 1 }, []]);
});

Deno.test("openSysctl() asks once, without a proc root, while pings are answered", async () => {
  const asked: string[] = [];
  const { way } = open(kernel({ [V4]: 0, [V6]: 0 }, asked));
  for (let tick = 0; tick < 3; tick++) await way.answer();
  assertEquals(asked, [`/usr/sbin/sysctl ${V4} ${V6}`]);
});

Deno.test("readSwitches() knows a switch that is not there from one that cannot be read", async () => {
  const refused: RunCommand = () =>
    Promise.resolve({ code: 127, stdout: "", stderr: "Requires run access", timedOut: false, tookMs: 0 });
  assertEquals((await readSwitches(refused, KERNEL_CALLS)).ipv4.kind, "failed");
  assertEquals(await readSwitches(kernel({ [V4]: 2 }), KERNEL_CALLS), {
    ipv4: { kind: "ok", value: true },
    ipv6: { kind: "absent", reason: `this kernel has no ${V6}` },
  });
});
