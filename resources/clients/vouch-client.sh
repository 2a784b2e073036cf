#!/bin/sh
# Signs and sends requests to Vouch with curl and openssl.
#
#   sh vouch-client.sh enroll photo1.jpg photo2.png     prints the receipt
#   sh vouch-client.sh poll UPLOAD_ID                   prints the progress
#
# Environment: VOUCH_URL (default http://127.0.0.1:4610), VOUCH_USER_ID, VOUCH_SECRET.
#
# A signature is lowercase hex of HMAC-SHA256, keyed with the secret, over
#   X-TIMESTAMP, METHOD, path with query, hex(SHA-256 of the raw body)    joined by line feeds.
# The secret is never an argument of a program, where the list of processes would show it: openssl hashes, and the
# shell itself does what HMAC (RFC 2104) adds to that.
set -eu

url=${VOUCH_URL:-http://127.0.0.1:4610}
url=${url%/}
usage='usage: VOUCH_USER_ID=... VOUCH_SECRET=... sh vouch-client.sh enroll FILE... | poll UPLOAD_ID'
: "${VOUCH_USER_ID:?$usage}" "${VOUCH_SECRET:?$usage}"
[ ${#VOUCH_SECRET} -le 64 ] || { echo 'the secret is longer than 64 bytes' >&2; exit 2; }
[ $# -ge 2 ] || { echo "$usage" >&2; exit 2; }
command=$1
shift

body=$(mktemp)
trap 'rm -f "$body"' EXIT

# pad BYTE: the secret, each byte XOR BYTE, filled up to the 64 bytes of a SHA-256 block
pad() {
  count=0
  for byte in $(printf '%s' "$VOUCH_SECRET" | od -An -v -tu1); do
    printf "\\$(printf '%03o' $((byte ^ $1)))"
    count=$((count + 1))
  done
  while [ "$count" -lt 64 ]; do
    printf "\\$(printf '%03o' "$1")"
    count=$((count + 1))
  done
}

# hmac: HMAC-SHA256 of what it reads
hmac() {
  { pad 92; { pad 54; cat; } | openssl dgst -sha256 -binary; } | openssl dgst -sha256 -r | cut -d ' ' -f 1
}

# send METHOD TARGET [curl options]: signs what is in $body and sends it
send() {
  method=$1
  target=$2
  shift 2
  timestamp=$(date +%s)
  body_hash=$(openssl dgst -sha256 -r "$body" | cut -d ' ' -f 1)
  signature=$(printf '%s\n%s\n%s\n%s' "$timestamp" "$method" "$target" "$body_hash" | hmac)
  curl --silent --show-error --fail-with-body --request "$method" \
    --header "X-USER-ID: $VOUCH_USER_ID" \
    --header "X-TIMESTAMP: $timestamp" \
    --header "X-HMAC-SIGNATURE: $signature" \
    "$@" "$url$target"
}

case $command in
enroll)
  boundary=vouch-$(openssl rand -hex 16)
  for file in "$@"; do
    name=$(basename -- "$file" | sed 's/"/%22/g')
    printf -- '--%s\r\nContent-Disposition: form-data; name="images[]"; filename="%s"\r\n\r\n' "$boundary" "$name"
    cat -- "$file"
    printf '\r\n'
  done >"$body"
  printf -- '--%s--\r\n' "$boundary" >>"$body"
  send POST /api/v3/duplicate-detection/faces \
    --header "Content-Type: multipart/form-data; boundary=$boundary" --data-binary "@$body"
  ;;
poll)
  send GET "/api/v3/duplicate-detection/uploads/$1"
  ;;
*)
  echo "$usage" >&2
  exit 2
  ;;
esac
