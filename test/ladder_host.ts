/** A web host on which the whole ladder is climbed: crawlers, runaways, a backup, and hooks that write down what they hear. */

import { BLOCK_CONF, BLOCK_INCLUDE } from "../mod/nginx/block_conf.ts";

/** Makes the crawler block, hooks that write down what they are told, and processes that must live or end at CRIT. */
export const LADDER_SETUP = String.raw`
mkdir -p /etc/nginx/loadweir /etc/loadweir/hooks
cat >/etc/nginx/loadweir/nginx_high_load_off.conf <<'END'
${BLOCK_CONF}
END
sed -i 's|listen 80 default_server;|&\n  ${BLOCK_INCLUDE}|' /etc/nginx/sites-available/default
kill -HUP "$(cat /run/nginx.pid)"
for hook in spider-on spider-off pause resume kill incident; do
  printf '#!/bin/sh\ncat >>/tmp/told-%s\n' "$hook" >/etc/loadweir/hooks/$hook
  chmod 755 /etc/loadweir/hooks/$hook
done

mkfifo /tmp/fifo
curl -s file:///tmp/fifo & curl_pid=$!
printf '#!/bin/bash\nphp -r "sleep(600);" & echo $! >/tmp/backup_child; wait\n' >/usr/local/bin/mysql_backup.sh
chmod 755 /usr/local/bin/mysql_backup.sh
mysql_backup.sh & backup_pid=$!
within 5 test -s /tmp/backup_child
lives() { kill -0 "$1" 2>/dev/null; }
all_live() { lives "$php_pid" && lives "$curl_pid" && lives "$backup_pid" && lives "$(cat /tmp/backup_child)" && innocents; }

code() { curl -s -o /dev/null -m 2 -A "$1" -w '%{http_code}' http://127.0.0.1/; }
crawler='Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
crawlers_wait() { [ "$(code "$crawler")" = 429 ] && up; }
crawlers_served() { [ "$(code "$crawler")" = 200 ] && up; }
within 5 crawlers_served
`;
