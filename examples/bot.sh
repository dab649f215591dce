#!/usr/bin/env bash
# Plays the game with the given id to its end, with curl 7.71 or later and jq, for the player whose token it is told:
#     TOKEN=... bash examples/bot.sh <game> [http://127.0.0.1:8000/v1]
set -euo pipefail
api=${2:-http://127.0.0.1:8000/v1} game=${api%/}/games/$1; kept=$(mktemp -d) && trap 'rm -r "$kept"' EXIT
ask() { # Writes the status; the answer is kept. Whatever got lost, or should come later (429, 503), is asked again.
  curl -sS -o "$kept/answer" -w '%{http_code}' -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
    --max-time 60 --retry 60 --retry-max-time 900 --retry-delay 1 --retry-connrefused --retry-all-errors "$@"
}
while status=$(ask --etag-compare "$kept/tag" --etag-save "$kept/tag" "$game/turn?wait=50"); do
  facts=$([ "$status" = 304 ] && echo "${known-}" || jq -c 'del(.server_time)' "$kept/answer")
  if [ "$facts" = "${known-}" ]; then sleep 1 && continue; else known=$facts; fi # Nothing new.
  jq -e '.status == "open" or .status == "active"' "$kept/answer" >"$kept/on" || break
  if ! jq -e .yours "$kept/answer" >"$kept/on"; then continue; fi
  jq --argjson n $RANDOM '{turn, action: (.legal | if .actions then .actions[$n % (.actions | length)] else .sample end)}' \
    "$kept/answer" >"$kept/move"
  case $(ask -d "@$kept/move" "$game/submissions") in 20[01] | 409) ;; *) break ;; esac # 409: somebody or time was faster.
done
jq -er 'if .status == "over" then "The game is over." else .detail // .status | halt_error(1) end' "$kept/answer"
