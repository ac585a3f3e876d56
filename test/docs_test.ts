/** The documents: every command is run, every setting is checked, every link leads somewhere. */

import { assert, assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parse } from "npm:yaml@2.9.1";
import { readInvocation } from "../adapters/cli/arguments.ts";
import { CONFIG_FIELDS, CONFIG_KEYS } from "../mod/config/schema.ts";
import { REASONS } from "../mod/ladder/decision.ts";
import { isTestFile, listProjectFiles, PROJECT } from "../scripts/project_files.ts";
import {
  ALL_DOCUMENTS,
  anchorsOf,
  blocksIn,
  blocksOf,
  commandsOf,
  DOCUMENTS,
  proseOf,
  readDocument,
} from "./documents.ts";
import { testNeeding } from "./needs.ts";
import { PERSON, PERSON_HOME, PERSON_NEEDS } from "./person.ts";
import { LOADWEIR, type Manager, NEEDS, onWebHost } from "./web_host.ts";
import { PAGE } from "./web_site.ts";
import { inWorldOk } from "./world.ts";

/** What the fence of a block may say, and what becomes of it: `text` is what something printed. */
const LANGUAGES = ["haproxy", "ini", "keepalived", "sh", "systemd", "text", "yaml"];

/** How a command is run that needs more than a host, or ends otherwise than well. */
type Special =
  /** Ended by Ctrl-C after so many seconds. */
  | { readonly interruptedAfterS: number }
  /** Not run here: a file that runs it, or what it is made of, and why. */
  | { readonly by: string; readonly holds: string; readonly why: string };

const SPECIALS: Readonly<Record<string, Special>> = {
  "ansible-playbook -i hosts scripts/ansible/install.yml --check --diff": {
    by: "test/ansible_test.ts",
    holds: "install",
    why: "needs a fleet, which that test plays with these playbooks",
  },
  "ansible-playbook -i hosts scripts/ansible/install.yml": {
    by: "test/ansible_test.ts",
    holds: "install",
    why: "needs a fleet, which that test plays with these playbooks",
  },
  "ansible-playbook -i hosts scripts/ansible/install.yml -e loadweir_mode=armed": {
    by: "test/ansible_test.ts",
    holds: "install",
    why: "needs a fleet, which that test plays with these playbooks",
  },
  "ansible-playbook -i hosts scripts/ansible/rollback.yml": {
    by: "test/ansible_test.ts",
    holds: "rollback",
    why: "needs a fleet, which that test plays with these playbooks",
  },
  "ansible-playbook -i hosts scripts/ansible/uninstall.yml": {
    by: "test/ansible_test.ts",
    holds: "uninstall",
    why: "needs a fleet, which that test plays with these playbooks",
  },
  "gh attestation verify loadweir-x86_64 --repo OWNER/loadweir": {
    by: ".github/workflows/release.yml",
    holds: "uses: actions/attest-build-provenance@",
    why: "needs a release on GitHub",
  },
  "scripts/deno task test": {
    by: ".ci/run",
    holds: "scripts/deno task test",
    why: "is what runs this",
  },
  "sudo loadweir pressure --watch": { interruptedAfterS: 2 },
  "scripts/deno task audit": {
    by: "scripts/audit_test.ts",
    holds: "planAudit(",
    why: "looks at this machine, whose load is no test's business",
  },
  "scripts/deno task compile": {
    by: ".ci/run",
    holds: "scripts/deno task compile",
    why: "makes what this test runs",
  },
  "ssh -L 9807:127.0.0.1:9807 host": {
    by: "test/status_page_test.ts",
    holds: "http://127.0.0.1:9807/",
    why: "needs another host; the page is looked at over loopback",
  },
  "ssh -t host sudo ./loadweir-x86_64 run --dry-run": { interruptedAfterS: 2 },
  "sudo loadweir record monday --for 24h": { interruptedAfterS: 2 },
  "sudo loadweir run --dry-run": { interruptedAfterS: 2 },
  "sudo loadweir run --dry-run --json >> audit.jsonl": { interruptedAfterS: 2 },
};

/** A host on which the lines of a document are typed. */
interface DocumentHost {
  readonly manager: Manager;
  /** Before the agent is started. */
  readonly prepare?: string;
}

/** Where the lines of a document are typed, if not on any host with systemd. */
const HOSTS: Readonly<Record<string, DocumentHost>> = {
  "docs/boa.md": {
    manager: "sysv",
    prepare: String.raw`
mkdir -p /var/log/boa; touch /var/log/boa/high.load.incident.log
printf '_CPU_MAX_RATIO=6.1\n' >/root/.barracuda.cnf; chmod 600 /root/.barracuda.cnf
echo '* * * * *  bash /var/xdrago/second.sh' >/root/crontab
printf '#!/bin/sh\n[ "$1 $2" = "-u root" ] || exit 1\nif [ "$3" = -l ]; then cat /root/crontab; else cat >/root/new && mv /root/new /root/crontab; fi\n' >/usr/local/bin/crontab
chmod 755 /usr/local/bin/crontab
sed -i 's/echo .*/echo "Welcome to my Site";/' /var/www/html/index.php
printf '#!/bin/sh\ntrue\n' >fanout
`,
  },
};

/** A person in a folder with what was built, and ssh to a host that is this one. */
const AT_WORK = String.raw`${PERSON}
mount --bind /tmp/loadavg /proc/loadavg
mkdir -p here/dist there /etc/logrotate.d
cd here
cp ${PROJECT}/dist/loadweir-x86_64 ${PROJECT}/dist/SHA256SUMS .
ln loadweir-x86_64 dist
install -m 755 loadweir-x86_64 /usr/local/sbin/loadweir
unset -f loadweir
printf '#!/bin/sh\nif [ "$1" = -t ]; then shift; fi\nshift; cd ${PERSON_HOME}/there && exec "$@"\n' >/usr/local/bin/ssh
printf '#!/bin/sh\n[ "$2" = host: ] && exec cp "$1" ${PERSON_HOME}/there/\n' >/usr/local/bin/scp
chmod 755 /usr/local/bin/ssh /usr/local/bin/scp
cat >/etc/nginx/conf.d/status.conf <<'END'
server { listen 127.0.0.1:8083; location /status { stub_status; } }
END
rm -f /etc/loadweir/loadweir.ini
printf '[ladder]\nmax = 6.1\n' >loadweir.ini
printf '[pressure]\nwindow = 5s\nsamples = 4\n[instance:nginx]\nmetrics = http://127.0.0.1:8083/status\nconnection_limit = 1024\n' >/etc/loadweir/loadweir.ini
printf '[outlets]\nagent_check = 127.0.0.1\n' >>/etc/loadweir/loadweir.ini
`;

/** The agent, and an audit beside it, and time for what they keep. */
const AGENTS: Readonly<Record<Manager, string>> = {
  "systemd": String.raw`
loadweir print unit >/etc/systemd/system/loadweir.service
loadweir print audit-unit >/etc/systemd/system/loadweir-audit.service
printf '[Service]\nExecStart=\nExecStart=/usr/local/sbin/loadweir run --dry-run --every 1s\n' | systemctl edit --stdin --runtime loadweir-audit 2>/dev/null || true
systemctl daemon-reload
systemctl reload nginx
play 300
systemctl start loadweir loadweir-audit
within 60 test -s /var/log/loadweir/pressure.jsonl
within 30 eval 'journalctl -u loadweir-audit -o cat | grep -q action=crawler-block-on'
play 20
cp /var/log/loadweir/journal.jsonl trace.jsonl
`,
  "sysv": String.raw`
loadweir print sysv >/etc/init.d/loadweir; chmod 755 /etc/init.d/loadweir
service nginx reload >/dev/null
service loadweir start
within 30 test -e /run/loadweir/state/ledger.json
`,
  "no manager": "",
  "idle": "",
};

/** Types each command, and says of each that did not end well what it printed. */
function typed(commands: readonly string[]): string {
  const lines = commands.map((command) => {
    const special = SPECIALS[command];
    const limit = special !== undefined && "interruptedAfterS" in special
      ? `timeout --preserve-status --signal=INT --kill-after=20s ${special.interruptedAfterS}`
      : "timeout --kill-after=5s 60";
    return `code=0; as_person "$(cat <<'COMMAND'\n${command}\nCOMMAND\n)" ${limit} >/tmp/printed 2>&1 </dev/null || code=$?
if [ "$code" -ne 0 ]; then echo "exited $code: $(cat <<'COMMAND'\n${command}\nCOMMAND\n)"; cat /tmp/printed; fi`;
  });
  return ["chown -R person: ..", ...lines].join("\n");
}

for (const document of DOCUMENTS) {
  const blocks = blocksOf(document);
  const commands = blocks.filter(({ language, name }) => language === "sh" && name === undefined)
    .flatMap(commandsOf).map(({ text }) => text)
    .filter((command) => !("by" in (SPECIALS[command] ?? {})));
  if (commands.length > 0) {
    testNeeding([...NEEDS, ...PERSON_NEEDS], `every command of ${document} ends well on a host`, async () => {
      const { manager, prepare = "" } = HOSTS[document] ?? { manager: "systemd" };
      const script = [AT_WORK, prepare, AGENTS[manager], typed(commands)].join("\n");
      assertEquals(await onWebHost(manager, script), "");
    });
  }

  Deno.test(`${document} says of every block what it is`, () => {
    for (const { language, line } of blocks) {
      assert(
        LANGUAGES.includes(language),
        `${document}:${line}: "${language}", expected ${LANGUAGES.join(", ")}`,
      );
    }
    const indented = proseOf(document).findIndex((line, index, lines) =>
      /^ {4}\S/.test(line) && (lines[index - 1] ?? "") === ""
    );
    assertEquals(
      indented,
      -1,
      `${document}:${indented + 1}: an indented block; fence it, and say what it is`,
    );
  });

  Deno.test(`${document} names no verb or flag that there is not`, () => {
    const text = proseOf(document).join("\n");
    for (const [, words = ""] of text.matchAll(/`(?:sudo )?(?:\/usr\/local\/sbin\/)?loadweir ([^`|<>&]*)/g)) {
      if (words.startsWith("VERB")) continue;
      const typed = words.replace(/\s+/g, " ").trim().split(" ");
      // A verb alone is its name.
      readInvocation(typed.length === 1 ? [...typed, "--help"] : typed);
    }
  });
}

for (const document of DOCUMENTS) {
  Deno.test(`${document} has sudo before what is typed and needs it`, () => {
    const text = proseOf(document).join("\n");
    for (const [code] of text.matchAll(/`(?:loadweir|journalctl)[ \n][^`]*`/g)) {
      assert(!/[|<>]/.test(code.replace("\\|", "")) && !code.startsWith("`journalctl"), code);
    }
  });
}

for (const document of ALL_DOCUMENTS) {
  Deno.test(`${document} links to what is there`, () => {
    for (const [, target = ""] of readDocument(document).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const linked = path === "" ? document : normalize(join(dirname(document), path));
      const isThere = existsSync(join(PROJECT, linked));
      assert(isThere, `${target}: no ${linked}`);
      if (anchor !== undefined) assert(anchorsOf(linked).includes(anchor), `${target}: no such heading`);
    }
  });
}

Deno.test("each block that has a name is run by a test of its document", () => {
  const named = DOCUMENTS.flatMap(blocksOf).filter(({ name }) => name !== undefined);
  const test = readDocument("test/bare_host_test.ts");
  for (const { document, name } of named) {
    assertEquals(document, "docs/bare-host.md");
    assert(test.includes(`\${pasted("${name}")}`), `${document}: nobody runs ${name}`);
  }
});

Deno.test("each special command is in a document, and what runs it instead is there", () => {
  const commands = blocksIn("sh").flatMap(commandsOf).map(({ text }) => text);
  for (const [command, special] of Object.entries(SPECIALS)) {
    assert(commands.includes(command), `no document has ${command}`);
    if ("by" in special) {
      assert(readDocument(special.by).includes(special.holds), `${special.by}: ${special.why}`);
    }
  }
});

testNeeding(NEEDS, "all settings in documents are good", async () => {
  const blocks = blocksIn("ini");
  assert(blocks.length > 0);
  const script = blocks.map(({ document, line, text }) =>
    `echo '${document}:${line}'; { ${LOADWEIR} check --json --config - || true; } <<'END' | jq -c '.config.problems[]'\n${text}END`
  ).join("\n");
  const output = await inWorldOk(script, { bind: true });
  assertEquals(output, blocks.map(({ document, line }) => `${document}:${line}\n`).join(""));
});

testNeeding(
  [...NEEDS, "/usr/bin/systemd-analyze"],
  "all units and drop-ins in documents are good",
  async () => {
    const blocks = blocksIn("systemd");
    const script = blocks.map(({ document, line, text }) => {
      const path = /^# (\/etc\/systemd\/system\/(\S+))$/m.exec(text);
      const unit = path?.[2]?.replace("@.", "@1.") ?? "loadweir.service";
      const place = path?.[1] ?? "/etc/systemd/system/loadweir.service.d/own.conf";
      return `echo '${document}:${line}'; cat >${place} <<'END'\n${text}END\nsystemd-analyze verify ${unit} 2>&1`;
    });
    const prepare = String.raw`
mkdir -p /etc/systemd/system/loadweir.service.d
install -m 755 /bin/true /usr/local/bin/web; install -m 755 /bin/true /usr/local/sbin/loadweir
${LOADWEIR} print unit >/etc/systemd/system/loadweir.service
`;
    const output = await inWorldOk([prepare, ...script].join("\n"), { bind: true });
    assertEquals(output, blocks.map(({ document, line }) => `${document}:${line}\n`).join(""));
  },
);

testNeeding(
  [...NEEDS, "/usr/sbin/haproxy", "/usr/sbin/nft"],
  "the HAProxy of docs/draining.md sends requests to a host, and none while it is drained",
  async () => {
    const [outlets] = blocksIn("ini").filter(({ text }) => /^http = /m.test(text));
    const [balancer] = blocksIn("haproxy");
    await onWebHost(
      "sysv",
      String.raw`
cat >>/etc/loadweir/loadweir.ini <<'END'
${outlets?.text}END
cat >/tmp/haproxy.cfg <<'END'
${balancer?.text}END
haproxy -c -f /tmp/haproxy.cfg >/tmp/checked 2>&1 || { cat /tmp/checked; exit 1; }
unshare --net sleep 600 & balancer=$!
within 5 eval '[ "$(readlink /proc/$balancer/ns/net)" != "$(readlink /proc/self/ns/net)" ]'
there() { nsenter --target "$balancer" --net "$@"; }
ip link add to-balancer type veth peer name to-host netns "$balancer"
ip addr add 192.0.2.10/24 dev to-balancer; ip link set to-balancer up
there ip addr add 192.0.2.2/24 dev to-host; there ip link set to-host up; there ip link set lo up
agent
there haproxy -q -db -f /tmp/haproxy.cfg >/tmp/haproxy.log 2>&1 & haproxy=$!
visit() { there curl -s -m 2 -o /tmp/page -w '%{http_code}' http://192.0.2.2/; }
served() { [ "$(visit)" = 200 ] && [ "$(cat /tmp/page)" = '${PAGE}' ]; }
within 20 served
loadweir drain --for 10m "a test"
within 20 eval '[ "$(visit)" = 503 ]'
loadweir undrain
within 20 served
kill "$haproxy"; wait "$haproxy" || true
end_agent
`,
    );
  },
);

testNeeding(
  [...NEEDS, "/usr/sbin/keepalived"],
  "the keepalived of docs/draining.md has nothing to say, and gives the address away while a host is out",
  async () => {
    const [block] = blocksIn("keepalived");
    const script = String.raw`mkdir -p /run/loadweir/state; echo 0 >/run/loadweir/state/keepalived
ip link add eth0 type veth peer name other; ip link set eth0 up; ip link set other up
ip addr add 192.0.2.10/24 dev eth0
cat >/tmp/keepalived.conf <<'END'
${block?.text}END
keepalived -t -f /tmp/keepalived.conf 2>&1
keepalived --dont-fork --log-console --log-detail --vrrp -f /tmp/keepalived.conf >/tmp/log 2>&1 & keepalived=$!
says() { for _ in $(seq 200); do if grep -q "$1" /tmp/log; then return; fi; sleep 0.1; done; cat /tmp/log; exit 1; }
says '(www) Entering MASTER STATE'
echo -50 >/run/loadweir/state/keepalived
says '(www) Changing effective priority from 100 to 50'
echo 0 >/run/loadweir/state/keepalived
says '(www) Changing effective priority from 50 to 100'
kill "$keepalived"; wait "$keepalived" || true
`;
    assertEquals(await inWorldOk(script, { bind: true }), "");
  },
);

Deno.test("all YAML in documents can be read", () => {
  const blocks = blocksIn("yaml");
  assert(blocks.length > 0);
  for (const { text } of blocks) parse(text, { strict: true, uniqueKeys: true });
});

Deno.test("docs/failures.md quotes what the program says", () => {
  const code = listProjectFiles(PROJECT).filter((file) => !isTestFile(file)).map(readDocument).join("\n");
  const rows = readDocument("docs/failures.md").split("\n").filter((line) => line.startsWith("| "));
  assert(rows.length > 20);
  for (const row of rows) {
    const [, , , seen = ""] = row.split(" | ".trim());
    for (const [, quoted = ""] of seen.matchAll(/`([^`]*)`/g)) {
      if (!quoted.startsWith("loadweir ")) assert(code.includes(quoted), quoted);
    }
  }
});

Deno.test("docs/boa.md tells of every setting that is read from .barracuda.cnf", () => {
  const rows = readDocument("docs/boa.md").split("\n");
  for (const { section, key, barracuda } of CONFIG_FIELDS.map((field) => CONFIG_KEYS[field])) {
    for (const name of barracuda) {
      assert(
        rows.some((row) => row.includes(`\`${name}\``) && row.includes(`\`[${section}] ${key}\``)),
        name,
      );
    }
  }
});

Deno.test("docs/reading-an-audit.md tells of every reason", () => {
  const text = readDocument("docs/reading-an-audit.md");
  for (const reason of Object.keys(REASONS)) assert(text.includes(`\n| \`${reason}\``), reason);
});
