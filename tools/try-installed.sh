# Sourced by the scripts that try an installed loadline: it must do the four things that a person does first. The caller
# defines `loadline`, which runs it where it was installed, with the network of this machine, and ends what is served itself.
# usage: try_installed PORT_OF_THE_TARGET PORT_OF_THE_PAGES FOLDER_THAT_RUNS_ARE_KEPT_IN

# Waits until an address answers: twenty seconds at most.
answers() {
  local try
  for try in $(seq 200); do
    ! curl -sf --noproxy '*' -o "${2:-/dev/null}" "$1" || return 0
    sleep 0.1
  done
  echo "after $try looks: nothing answers at $1"
  return 1
}

try_installed() {
  local target=127.0.0.1:$1 pages=127.0.0.1:$2 kept=$3 out
  out=$(mktemp -d)
  loadline version
  loadline demo --address "$target" >"$out/demo" 2>&1 &
  answers "http://$target/" || { cat "$out/demo"; return 1; }
  echo "demo: answers"
  loadline run "http://$target/fast" --rate 50/s --duration 3s --lang en >"$out/run" 2>"$out/run-errors" ||
    { cat "$out/run" "$out/run-errors"; return 1; }
  sed -n '1p' "$out/run"
  loadline report latest --lang en -o report.html >"$out/report" 2>&1 || { cat "$out/report"; return 1; }
  grep -q '</html>' "$kept/report.html" && echo "report: $(wc -c <"$kept/report.html") bytes"
  loadline serve --address "$pages" >"$out/serve" 2>&1 &
  local link
  for _ in $(seq 200); do
    link=$(grep -oE 'http://127[^ ]*' "$out/serve" | head -n 1 || true)
    [ -n "$link" ] && break
    sleep 0.1
  done
  [ -n "$link" ] || { cat "$out/serve"; return 1; }
  curl -sfL --noproxy '*' --cookie-jar "$out/jar" -o "$out/page" "$link" || { cat "$out/serve"; return 1; }
  grep -qi '<!doctype html' "$out/page" && echo "serve: a page of $(wc -c <"$out/page") bytes"
  rm -rf "$out"
}
