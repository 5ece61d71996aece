# Functions that .ci/run and .ci/long share. They set $temp, a folder that ends with the process.

root=$PWD
temp=$(mktemp -d)
current=none

# The tools need a newer Node than the library does. Leave npm out: under another Node it would
# read another global npmrc, and might lose the way to the registry.
bundled() {
  PATH=$root/node_modules/.bin:$root/tools/node_modules/.bin:$PATH "$@"
}

# Installs Debian packages, where that is possible.
install() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing $*"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -qq -y --no-install-recommends "$@" >/dev/null
  else
    echo "Not installed: $*" >&2
    return 1
  fi
}

# The tests start their own servers. This installs the software of those servers.
databases() {
  local packages=()
  [ -n "${TEST_POSTGRES_URL:-}" ] || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ||
    command -v initdb >/dev/null || packages+=(postgresql)
  [ -n "${TEST_MYSQL_URL:-}" ] || [ -x /usr/sbin/mariadbd ] ||
    command -v mariadbd >/dev/null || packages+=(mariadb-server)
  if [ ${#packages[@]} = 0 ]; then
    echo 'Installed already.'
  else
    install "${packages[@]}"
  fi
}

# add_row <name> <begin> <status>: keeps one line for the list at the end.
add_row() {
  printf '%5ss  %-6s  %s\n' "$((SECONDS - $2))" "$3" "$1" >>"$temp/ran"
}

# step <name> <command…>: runs a command alone. Its failure ends the gate.
step() {
  local begin=$SECONDS
  current=$1
  printf '\n== %s [%ss]\n' "$1" "$SECONDS"
  "${@:2}"
  add_row "$1" "$begin" ok
  current=none
}

# lane_step <name> <command…>: runs a command beside another lane, and prints its whole output when
# it ends. Its failure is kept in $temp/failed, and the lane goes on.
lane_step() {
  local begin=$SECONDS status=0 log
  log=$(mktemp "$temp/step.XXXXXX")
  # A background process of its own, because bash ignores `set -e` in whatever precedes `||`.
  (
    set -e
    "${@:2}"
  ) >"$log" 2>&1 </dev/null &
  wait $! || status=$?
  # One lane prints at a time.
  exec 9>>"$temp/print"
  flock 9
  printf '\n== %s [%ss, beside others, took %ss]\n' "$1" "$begin" "$((SECONDS - begin))"
  cat "$log"
  if [ "$status" = 0 ]; then
    add_row "$1" "$begin" ok
  else
    printf 'FAILED with %s: %s\n' "$status" "$1"
    printf '%s\n' "$1" >>"$temp/failed"
    add_row "$1" "$begin" FAILED
  fi
  exec 9>&-
}

# lanes <function…>: runs functions made of lane_steps at the same time, and fails if a step failed.
lanes() {
  local lane pids=() broken=0
  current=$*
  # A process group for each lane, so that `finish` can end all of its processes.
  set -m
  for lane in "$@"; do
    (
      set -e
      "$lane"
    ) &
    pids+=($!)
  done
  set +m
  for lane in "${pids[@]}"; do
    wait "$lane" || broken=1
  done
  if [ -s "$temp/failed" ]; then
    current=$(paste -sd ',' "$temp/failed" | sed 's/,/, /g')
    return 1
  fi
  [ "$broken" = 0 ]
  current=none
}

# Ends with the list of steps. Call it from `trap … EXIT`, with the status first.
finish() {
  local status=$1
  local lane
  # Lanes that still run when the gate is stopped end with it.
  for lane in $(jobs -p); do kill -- "-$lane" 2>/dev/null || true; done
  printf '\nRan:\n'
  cat "$temp/ran" 2>/dev/null || true
  [ "$status" = 0 ] || printf 'FAILED: %s\n' "$current"
  printf 'Took %ss\n' "$SECONDS"
}
