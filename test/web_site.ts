/** The web of a world: a site of PHP, how it is started, other nginxes beside it, and words to ask and to wait with. */

import type { Need } from "./needs.ts";
import { WITHIN } from "./within.ts";

/** What a test with a web needs, beyond a world. */
export const WEB_NEEDS: readonly Need[] = [
  "/usr/sbin/nginx",
  "/usr/sbin/php-fpm8.2",
  "/usr/sbin/service",
  "/usr/bin/php",
  "/usr/bin/curl",
];

/** What the site answers; that PHP reckons it shows that no file is served. */
export const PAGE = "made by php 42";

/** Shell that starts the web tier, by what manages services. It does not wait until the site answers. */
export const STARTS = {
  sysv: "service php8.2-fpm start > /dev/null; service nginx start > /dev/null",
  none: "php-fpm8.2 --daemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf; nginx",
  systemd: "systemctl start php8.2-fpm nginx",
} as const;

/** Shell that a script begins with: it makes the site, and starts nothing. */
export const SITE = String.raw`
# A page that is made by php-fpm behind nginx.
mkdir -p /run/php /run/lock /var/www/html
echo '<?php echo "made by php ", 6 * 7;' > /var/www/html/index.php
cat > /etc/nginx/sites-available/default <<'END'
server {
  listen 80 default_server;
  location / {
    include fastcgi_params;
    fastcgi_param SCRIPT_FILENAME /var/www/html/index.php;
    fastcgi_pass unix:/run/php/php8.2-fpm.sock;
  }
}
END

# What the host answers on a port: the page, or how curl ended (7 is refused).
page() { curl --silent --max-time 2 "http://127.0.0.1:$1/" || printf "curl $?"; echo; }
answers() { [ "$(page "$1")" = "$2" ]; }
up() { answers 80 '${PAGE}'; }
${WITHIN}
late() { if [ -e /tmp/agent.log ]; then cat /tmp/agent.log; fi; ps -ef; }

# Nginxes that are none of the host's: one with a configuration of its own, one in a pid namespace of its own.
other_nginxes() {
  mkdir -p /srv/second
  printf 'pid /srv/second/pid; error_log /srv/second/log; events {} http { access_log off;
    server { listen 8081; return 200 second; } }' > /srv/second/nginx.conf
  sed 's|8081|8082|; s|second/pid|second/inner|; s|200 second|200 inner|' \
    /srv/second/nginx.conf > /srv/second/inner.conf
  nginx -c /srv/second/nginx.conf
  unshare --pid --fork --mount-proc nginx -c /srv/second/inner.conf -g 'daemon off;' &
  within 10 others_answer
}
others_answer() { answers 8081 second && answers 8082 inner; }
`;
