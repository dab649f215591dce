# Three players for the commands of the documentation. Set the service's address and source this in bash:
#   api=http://127.0.0.1:8000/v1; . examples/people.sh
# It defines $json (a header), `as NAME` (the header that says who asks) and `field NAME` (a member of the JSON that it reads).

umask 077
tokens=$(mktemp -d) # for you alone to read
json='Content-Type: application/json'
as() { echo "Authorization: Bearer $(cat "$tokens/$1.token")"; }
field() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

for name in Astrid Bjorn Cnut; do
  curl -s "$api/players" -H "$json" -d "{\"name\": \"$name\"}" | field token > "$tokens/$name.token"
done
