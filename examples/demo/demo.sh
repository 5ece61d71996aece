#!/bin/sh
# The minute of README.md: a file becomes an API, and the API keeps its promises. Run it in an empty
# folder after `npm install nounful`: sh node_modules/nounful/examples/demo/demo.sh
set -eu
export PORT="${PORT:-3000}"
url=http://127.0.0.1:$PORT
log=$PWD/server.log
server=
trap stop EXIT

# Prints a command, and runs it.
show() {
  printf '$ %s\n' "$1"
  sh -c "$1"
}

# Prints a command that serves, runs it beside the others, and waits until it responds.
start() {
  printf '$ %s &\n' "$1"
  # npx would end without the server that it starts.
  sh -c "exec $(echo "$1" | sed 's:^npx :node_modules/.bin/:')" >"$log" 2>&1 &
  server=$!
  until curl --silent --fail --output /dev/null "$url"; do sleep 0.1; done
}

stop() {
  [ -z "$server" ] || kill "$server"
  wait
  server=
}

# What an editor would do: the owner of each post, and who asks.
own() {
  sed -e '/create: New/a\  ownedBy: ["user_id"],' -e 's/\.partial({ id: true })/.omit({ id: true, user_id: true })/' \
    contract.ts >edited && mv edited contract.ts
  sed 's/defineRegistry(api)/&\
    .context(({ headers }) => ({ user: String(headers?.authorization) }))\
    .scope(({ user }) => ({ user_id: user }))/' service.ts >edited && mv edited service.ts
}

cat >db.json <<'JSON'
{
  "posts": [{ "id": "hello", "title": "Hello", "user_id": "alice" }],
  "comments": [{ "id": "c1", "text": "Hi", "post_id": "hello", "user_id": "bob" }]
}
JSON
show 'cat db.json'
start "npx nounful serve db.json --port $PORT"
show "curl -s '$url/posts/hello/comments'"
echo
show "curl -s -X DELETE '$url/posts?id=hello'"
echo
stop

show 'npx nounful init my-api --from db.json >/dev/null && cd my-api'
cd my-api
own
echo "# In contract.ts: ownedBy: ['user_id']. In service.ts: .scope(({ user }) => ({ user_id: user }))"
npm install --silent --no-audit --no-fund ${TARBALL:+"nounful@file:$TARBALL"} >/dev/null
start "node server.ts"
show "npx nounful check $url --as 'authorization: alice' --as 'authorization: bob' --write | grep kept"
