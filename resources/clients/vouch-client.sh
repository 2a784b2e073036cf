#!/bin/sh
# Sends requests to Vouch with curl and openssl.
#
#   sh vouch-client.sh enroll photo1.jpg FOLDER         queues photos in batches of 50; prints each receipt
#   sh vouch-client.sh poll UPLOAD_ID                   prints the progress
#   sh vouch-client.sh verify FLOW SELFIE               creates, gives the selfie, finalises; prints the outcome
#   sh vouch-client.sh face IMAGE1 IMAGE2               compares two faces
#   sh vouch-client.sh signature IMAGE1 IMAGE2          compares two signatures (token only)
#
# Environment: VOUCH_URL (default http://127.0.0.1:4610), and either VOUCH_TOKEN, or VOUCH_USER_ID and VOUCH_SECRET of a
# signing key (VOUCH_PROFILE=v2 for a key of profile v2).
#
# A signature is lowercase hex of HMAC-SHA256, keyed with the secret, over lines joined by line feeds:
#   v1: X-TIMESTAMP, METHOD, path with query, hex(SHA-256 of the raw body)
#   v2: the same, then Content-Type and Idempotency-Key (empty where absent); the hash is sent as X-CONTENT-SHA256
# A secret or token is never an argument of a program, where the list of processes would show it: openssl hashes, and the
# shell itself does what HMAC (RFC 2104) adds to that.
set -eu

url=${VOUCH_URL:-http://127.0.0.1:4610}
url=${url%/}
token=${VOUCH_TOKEN:-}
profile=${VOUCH_PROFILE:-v1}
usage='usage: VOUCH_TOKEN=... sh vouch-client.sh enroll FILE|FOLDER... | poll UPLOAD_ID | verify FLOW SELFIE |
  face IMAGE1 IMAGE2 | signature IMAGE1 IMAGE2'
if [ -z "$token" ]; then
  : "${VOUCH_USER_ID:?$usage}" "${VOUCH_SECRET:?$usage}"
  [ ${#VOUCH_SECRET} -le 64 ] || { echo 'the secret is longer than 64 bytes' >&2; exit 2; }
fi
case "${1:-} $#" in
'enroll 1') echo "$usage" >&2; exit 2 ;;
enroll\ * | 'poll 2' | 'verify 3' | 'face 3' | 'signature 3') ;;
*) echo "$usage" >&2; exit 2 ;;
esac
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

# send METHOD TARGET CONTENT_TYPE [curl options]: sends what is in $body, with the token or signed
send() {
  method=$1
  target=$2
  type=$3
  shift 3
  set -- --silent --show-error --fail-with-body --request "$method" --header "Content-Type:${type:+ $type}" "$@"
  if [ -n "$token" ]; then
    printf 'header = "Authorization: Bearer %s"\n' "$token" | curl --config - "$@" "$url$target"
    return
  fi
  timestamp=$(date +%s)
  body_hash=$(openssl dgst -sha256 -r "$body" | cut -d ' ' -f 1)
  if [ "$profile" = v2 ]; then
    set -- --header "X-CONTENT-SHA256: $body_hash" "$@"
    signature=$(printf '%s\n%s\n%s\n%s\n%s\n' "$timestamp" "$method" "$target" "$body_hash" "$type" | hmac)
  else
    signature=$(printf '%s\n%s\n%s\n%s' "$timestamp" "$method" "$target" "$body_hash" | hmac)
  fi
  curl --header "X-USER-ID: $VOUCH_USER_ID" \
    --header "X-TIMESTAMP: $timestamp" \
    --header "X-HMAC-SIGNATURE: $signature" \
    "$@" "$url$target"
}

# post PATH: sends the JSON in $body
post() {
  send POST "/api/v1/verification/$1" application/json --data-binary "@$body"
}

# image NAME FILE: a member of a JSON object that holds the file
image() {
  printf '"%s":"data:image/jpeg;base64,' "$1"
  base64 <"$2" | tr -d '\n'
  printf '"'
}

# compare PATH IMAGE1 IMAGE2
compare() {
  {
    printf '{"template_id":"client","verification_id":"%s",' "$(openssl rand -hex 16)"
    image image1 "$2"
    printf ','
    image image2 "$3"
    printf '}'
  } >"$body"
  post "$1"
}

# is_one_batch FILE...: whether the arguments are at most 50 files and no folder
is_one_batch() {
  [ $# -le 50 ] || return 1
  for path in "$@"; do
    [ ! -d "$path" ] || return 1
  done
}

case $command in
enroll)
  if ! is_one_batch "$@"; then
    for path in "$@"; do
      if [ -d "$path" ]; then
        find "$path" -type f \( -iname '*.jpg' -o -iname '*.jpeg' -o -iname '*.png' \) -print0
      else
        printf '%s\0' "$path"
      fi
    done | xargs -0 -n 50 sh "$0" enroll
    exit
  fi
  boundary=vouch-$(openssl rand -hex 16)
  for file in "$@"; do
    name=$(basename -- "$file" | sed 's/"/%22/g')
    printf -- '--%s\r\nContent-Disposition: form-data; name="images[]"; filename="%s"\r\n\r\n' "$boundary" "$name"
    cat -- "$file"
    printf '\r\n'
  done >"$body"
  printf -- '--%s--\r\n' "$boundary" >>"$body"
  send POST /api/v3/duplicate-detection/faces "multipart/form-data; boundary=$boundary" --data-binary "@$body"
  ;;
poll)
  send GET "/api/v3/duplicate-detection/uploads/$1" ''
  ;;
verify)
  printf '{"template_id":%s}' "$1" >"$body"
  answer=$(post create-verification) || { printf '%s\n' "$answer"; exit 1; }
  id=$(printf '%s' "$answer" | sed 's/.*"verification":{"id":"\([^"]*\)".*/\1/')
  names="\"template_id\":$1,\"verification_id\":\"$id\""
  { printf '{%s,' "$names"; image image "$2"; printf '}'; } >"$body"
  answer=$(post biometricsverification) || { printf '%s\n' "$answer"; exit 1; }
  printf '{%s}' "$names" >"$body"
  post finalize-verification
  ;;
face)
  compare biometricsfacecompare "$@"
  ;;
signature)
  compare signature/match "$@"
  ;;
esac
