#!/bin/sh
# Double-click on macOS: opens the page of cargue. Also: sh cargue.command, on Linux.
# With words, the command: sh cargue.command check nomina.xlsx
here=${0%/*}
[ "$here" = "$0" ] && here=.
node=node
[ -x "$here/node/node" ] && node=$here/node/node

failed() {
  printf '\n%s\n' 'Pulse Enter para cerrar. / Press Enter to close.'
  read -r _
  exit 1
}

if ! "$node" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null
then
  printf '%s\n' \
    'cargue necesita Node 20.19 o posterior, que no está en este equipo.' \
    'Descárguelo de https://nodejs.org (el que dice LTS), instálelo y abra este archivo otra vez.' \
    '' \
    'cargue needs Node 20.19 or newer, which is not on this machine.' \
    'Get it from https://nodejs.org (the one that says LTS), install it and open this file again.'
  failed
fi

# A fresh clone is not built yet.
[ -f "$here/dist/cli/main.js" ] || "$node" "$here/src/setup.mjs" || failed
[ $# -gt 0 ] && exec "$node" "$here/dist/cli/main.js" "$@"
"$node" "$here/dist/cli/main.js" web || failed
