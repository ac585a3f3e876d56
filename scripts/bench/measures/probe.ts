/** What a look at a site costs. */

import { atMost, type Measurement, numbersOf } from "../measurement.ts";
import { compileBench } from "../programs.ts";

/** CPU of one look at a site that nginx serves, plain and with TLS, as the agent makes it each 5 s, beside curl and grep. */
export async function measureProbe(): Promise<readonly Measurement[]> {
  const probe = await compileBench("probe_loop");
  const [plain = NaN, tls = NaN, spaced = NaN, curl = NaN, curlTls = NaN] = await numbersOf(
    String.raw`
mkdir -p /srv/bench
openssl req -x509 -newkey rsa:2048 -nodes -keyout /srv/bench/key -out /srv/bench/pem -days 30 \
  -subj /CN=www.example.org -addext subjectAltName=DNS:www.example.org -addext basicConstraints=CA:FALSE 2>/dev/null
(echo '<h1>Welcome</h1>'; head -c 20000 /dev/zero | tr '\0' x) >/srv/bench/index.html
printf 'pid /srv/bench/pid; error_log /srv/bench/log; events {} http { access_log off; root /srv/bench;
  server { listen 80; } server { listen 443 ssl; ssl_certificate pem; ssl_certificate_key key; } }' \
  >/srv/bench/nginx.conf
nginx -c /srv/bench/nginx.conf
cpus() { cpu ${probe} "$@"; }
per "$(cpus http://www.example.org Welcome 401 0)" "$(cpus http://www.example.org Welcome 1 0)" 0.4
per "$(cpus https://www.example.org Welcome 101 0)" "$(cpus https://www.example.org Welcome 1 0)" 0.1
per "$(cpus http://www.example.org Welcome 61 200)" "$(cpus http://www.example.org Welcome 1 0)" 0.06
look() { curl -s "$1" | grep Welcome; }
looks() { for i in $(seq 50); do look "$1"; done; }
to="--resolve www.example.org:443:127.0.0.1"
secure() { for i in $(seq 50); do curl -sk $to https://www.example.org | grep Welcome; done; }
per "$(cpu looks http://127.0.0.1)" 0 0.05
per "$(cpu secure)" 0 0.05
`,
    120_000,
  );
  const instead = { what: "curl -s URL | grep TEXT", value: curl };
  return [
    { what: "probe: one look, back to back", unit: "ms CPU", loadweir: plain, goal: atMost(curl), instead },
    { what: "probe: one look, every 200 ms", unit: "ms CPU", loadweir: spaced, instead },
    {
      what: "probe: one look with TLS, certificate refused",
      unit: "ms CPU",
      loadweir: tls,
      instead: { what: "curl -sk https://… | grep TEXT", value: curlTls },
    },
  ];
}
