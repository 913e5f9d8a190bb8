# Sourced by the scripts beside it. Needs only npm and any Node from 20; puts everything into node_modules, dist and
# .cache of the repository. Sets root and NODE.

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
stamps=$root/.cache/stamps

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# Node from 22.19 runs Kinora as it is.
new_enough() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ "$major" -gt 22 ] || { [ "$major" -eq 22 ] && [ "$minor" -ge 19 ]; }
}

find_node() {
  NODE=$(command -v node) && new_enough "$NODE" && return 0
  for packaged in "$root"/node_modules/node-linux-*/bin/node; do
    NODE=$packaged
    new_enough "$NODE" && return 0
  done
  return 1
}

# Two scripts that are started together take turns. A lock whose owner is gone is taken over.
lock() {
  mkdir -p "$stamps"
  waited=
  until mkdir "$stamps/lock" 2>/dev/null; do
    owner=$(cat "$stamps/lock/pid" 2>/dev/null || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      rm -rf "$stamps/lock"
      continue
    fi
    [ -n "$waited" ] || say "Another script is setting up: waiting for it."
    waited=yes
    sleep 1
  done
  echo $$ > "$stamps/lock/pid"
  trap unlock EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

unlock() {
  rm -rf "$stamps/lock"
  trap - EXIT INT TERM
}

packages_are_current() {
  [ -d "$root/node_modules" ] && cmp -s "$root/package-lock.json" "$stamps/package-lock.json"
}

install_packages() {
  command -v npm > /dev/null 2>&1 || fail "npm is needed to install Kinora, and was not found. Install Node.js (20 or newer), which brings npm."
  say "Installing packages (npm ci) ..."
  rm -f "$stamps/package-lock.json"
  # Install scripts stay off: nothing here needs one, and they would run code of others as this user.
  (cd "$root" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2) || fail "npm ci failed: see above."
  for tool in "$root"/node_modules/@ffprobe-installer/*/ffprobe "$root"/node_modules/@ffmpeg-binary/*/ffmpeg "$root"/node_modules/node-linux-*/bin/node; do
    if [ -f "$tool" ] && [ ! -x "$tool" ]; then chmod +x "$tool"; fi
  done
  cp "$root/package-lock.json" "$stamps/package-lock.json"
}

# True when everything below the given paths is older than the stamp.
older_than() {
  stamp=$1
  shift
  [ -e "$stamp" ] && [ -z "$(cd "$root" && find "$@" -newer "$stamp" 2>/dev/null | head -n 1)" ]
}

program_is_current() {
  [ -e "$root/dist/kinora.mjs" ] && older_than "$stamps/program" packages/domain/src packages/federation/src \
    packages/ingest/src packages/media/src packages/node/src packages/storage/src packages/storage/sql packages/torrent/src runner/src \
    scripts/build.ts scripts/lib/SqlTexts.ts package-lock.json
}

web_is_current() {
  [ -d "$root/dist/web" ] && older_than "$stamps/web" packages/web/src packages/web/public packages/web/build \
    packages/web/build.ts packages/domain/src package-lock.json
}

# The stamp gets the time at which the build began: what changed meanwhile is built next time.
build_with() {
  stamp=$1
  what=$2
  shift 2
  say "Building $what ..."
  : > "$stamp.new"
  # What a build says of its chunks is of interest when it fails.
  "$NODE" "$@" > "$stamp.log" 2>&1 || { cat "$stamp.log" >&2; fail "Building $what failed: see above."; }
  rm -f "$stamp.log"
  mv "$stamp.new" "$stamp"
}

set_up_packages() {
  if packages_are_current && find_node; then return 0; fi
  lock
  packages_are_current || install_packages
  find_node || fail "Kinora needs Node.js 22.19 or newer, and no packaged one exists for this machine ($(uname -sm)). Install it and start again."
  unlock
}

set_up_program() {
  if program_is_current && web_is_current; then return 0; fi
  lock
  program_is_current || build_with "$stamps/program" "the program" "$root/scripts/build.ts"
  web_is_current || build_with "$stamps/web" "the pages" "$root/packages/web/build.ts"
  unlock
}
